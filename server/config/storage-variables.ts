import { z } from 'zod';
import { FOLDER } from './value-rules.ts';
import { optional, variable } from './variable.ts';

const REDIS = z
  .url({ protocol: /^rediss?$/ })
  .regex(/^rediss?:\/\/[^/?#]+(\/\d{0,5})?(\?[^#]*)?$/i)
  .describe('an absolute URL (redis:// or rediss://) with at most the number of a database as its path');

/** What outlives the process, and what instances share. */
export const storageVariables = {
  dataDir: variable(
    'DATA_DIR',
    './data',
    'outbox, cache snapshot, changed policies, sitemap archive; of one instance',
    FOLDER,
  ),
  assetsDir: optional(
    'ASSETS_DIR',
    'folder that outlives a deploy and that all instances share: the hashed files of the last builds are kept and served from there',
    FOLDER,
  ),
  redisUrl: optional(
    'REDIS_URL',
    'Redis 7 or Valkey that several instances share: second-level cache, invalidation, rate limits, outbox',
    REDIS,
    true,
  ),
};

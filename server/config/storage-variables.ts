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
    'outbox, cache snapshot, changed policies; of one instance',
    FOLDER,
  ),
  assetsDir: optional(
    'ASSETS_DIR',
    'folder that outlives a deploy and that all instances share: the hashed files of the last builds are kept and served from there',
    FOLDER,
  ),
  redisUrl: optional(
    'REDIS_URL',
    'Redis 7 or Valkey that several instances share: messages to the upstream, invalidations, policies and modes, limits of forms and beacons, list of instances',
    REDIS,
    true,
  ),
  redisCacheUrl: optional(
    'REDIS_CACHE_URL',
    'Redis of the second-level cache, with `REDIS_URL`, where it is to have a server or a database of its own; default: `REDIS_URL`',
    REDIS,
    true,
  ),
};

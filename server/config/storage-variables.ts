import { FOLDER, url } from './value-rules.ts';
import { optional, variable } from './variable.ts';

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
    url('redis', 'rediss'),
    true,
  ),
};

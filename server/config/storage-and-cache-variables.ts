import { z } from 'zod';
import { DEFAULT_POLICIES } from '#server/cache/policies.ts';
import { byResource, MAX_AGE_SECONDS } from '#shared/models/resources-and-policies.ts';
import { FOLDER, integer, isDecodable, mebibytes, optional, secret, url, variable } from './variable.ts';

const REDIS = url(/^rediss?$/, /^rediss?:\/\/[^/?#]+(\/\d{0,5})?(\?[^#]*)?$/i, false)
  .refine(isDecodable)
  .describe('a percent-encoded URL (redis:// or rediss://) with at most a database’s number as its path');

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
  redisUrl: secret(
    'REDIS_URL',
    'Redis 7 or Valkey that several instances share: messages to the upstream, invalidations, policies and modes, limits of forms and beacons, list of instances',
    REDIS,
  ),
  redisCacheUrl: secret(
    'REDIS_CACHE_URL',
    'Redis of the second-level cache, with `REDIS_URL`, where it is to have a server or a database of its own; default: `REDIS_URL`',
    REDIS,
  ),
};

const SECONDS = integer(0, MAX_AGE_SECONDS);

/** The content cache: its bound, and the policy of each resource. */
export const cacheVariables = {
  cacheMaxBytes: variable(
    'CACHE_MAX_MB',
    '256',
    'bound of the in-process cache in MiB, data and rendered pages together; at most what the process can hold, and unset no more than that',
    mebibytes(8, 65_536),
  ),
  policies: z.object(
    byResource((resource) => {
      const prefix = `CACHE_${resource.toUpperCase()}`;
      const { ttl, swr, sie } = DEFAULT_POLICIES[resource];
      return z.object({
        ttl: variable(`${prefix}_TTL`, `${ttl}`, 'seconds a response is fresh', SECONDS),
        swr: variable(`${prefix}_SWR`, `${swr}`, 'then served stale while it is refreshed', SECONDS),
        sie: variable(`${prefix}_SIE`, `${sie}`, 'then served stale while the refresh fails', SECONDS),
      });
    }),
  ),
};

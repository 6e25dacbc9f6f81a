import { z } from 'zod';
import { DEFAULT_POLICIES } from '#server/cache/default-policies.ts';
import { byResource } from '#shared/models/resources.ts';
import { integer, mebibytes } from './value-rules.ts';
import { variable } from './variable.ts';

const SECONDS = integer(0, 31_536_000);

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

import { ACCESSES, createAccessRing } from '#server/cache/access-ring.ts';
import { createContentCache } from '#server/cache/content-cache.ts';
import { openSnapshot } from '#server/cache/snapshot/snapshot-file.ts';
import type { CmsApi } from '#server/cms/cms-api.ts';
import { createCacheQueries } from '#server/content/cache-queries.ts';
import { createPolicyStore } from '#server/ops/policy-store.ts';
import type { RedisServices } from '#server/redis/redis-services.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import { createResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { Services } from '#server/service-types.ts';

export interface CachesOptions extends Pick<Services, 'clock' | 'config' | 'logger' | 'tracing'> {
  cms: CmsApi;
  redis: RedisServices | null;
  /** The folder of the snapshot and the policies. */
  dir: string;
  version: string;
  random: () => number;
  /** Whether the server has more work than it can do. Asked once it serves requests. */
  isOverloaded: () => boolean;
}

/** The response cache's share of `CACHE_MAX_MB`; the rest is for data. */
const RESPONSES_SHARE = 0.5;

/** Makes the content cache and the response cache, and fills them from their snapshots. */
export async function openCaches(options: CachesOptions) {
  const { config, cms, redis, clock } = options;
  const accessRing = createAccessRing({ clock, capacity: ACCESSES });
  const cache = createContentCache({
    ...options,
    policies: config.policies,
    maxBytes: config.cacheMaxBytes * (1 - RESPONSES_SHARE),
    secondLevel: redis?.secondLevel,
    accessRing,
  });
  const responses = createResponseCache<ResponseExtra>({
    ...options,
    content: cache,
    maxBytes: config.cacheMaxBytes * RESPONSES_SHARE,
  });

  // Before the snapshot: the policies in force decide which of its entries are of use.
  const policyStore = createPolicyStore({ ...options, policies: cache.policies });
  await policyStore.load();
  const lastPurge = () => redis?.channel.lastPurge() ?? null;
  const unsentPurges = () => redis?.channel.unsentPurges() ?? [];
  const snapshot = await openSnapshot({ ...options, cache, lastPurge, unsentPurges });

  return {
    cache,
    responses,
    accessRing,
    policyStore,
    queries: createCacheQueries(cms),
    /** Id of the last purge that the restored snapshot knew of, and those since. */
    restored: { since: snapshot.lastPurge, purges: snapshot.purges },
    async close(): Promise<void> {
      await snapshot.close();
      cache.close();
    },
  };
}

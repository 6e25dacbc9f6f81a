import type { Logger } from 'pino';
import { z } from 'zod';
import { BODIES_SHARE } from '#server/article-html/body-renderer.ts';
import { createAccessRing } from '#server/cache/access-ring.ts';
import { createContentCache } from '#server/cache/content-cache.ts';
import { createSnapshot } from '#server/cache/snapshot/snapshot.ts';
import { snapshotEntrySchema } from '#server/cache/snapshot/snapshot-entry.ts';
import { scheduleSnapshots } from '#server/cache/snapshot/snapshot-schedule.ts';
import type { CmsApi } from '#server/cms/cms-api.ts';
import type { Config } from '#server/config/config.ts';
import { createCacheQueries } from '#server/content/cache-queries.ts';
import { createPolicyStore } from '#server/ops/policy-store.ts';
import type { RedisServices } from '#server/redis/redis-services.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import { createResponseCache } from '#server/render/response-cache/response-cache.ts';
import { removeAbandonedDrafts } from '#server/storage/files.ts';
import type { Tracing } from '#server/tracing/tracing.ts';

export interface CachesOptions {
  config: Config;
  cms: CmsApi;
  redis: RedisServices | null;
  /** The folder of the snapshot and the policies. */
  dir: string;
  /** Version of the cached models: snapshots of another version are ignored. */
  version: string;
  logger: Logger;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Wall milliseconds. */
  wallClock: () => number;
  /** From 0 to 1: jitter of the TTLs. */
  random: () => number;
  /** As for the content cache. */
  staleWaitMs: number | undefined;
  /** Whether the server has more work than it can do. Asked once it serves requests. */
  isOverloaded: () => boolean;
  tracing: Tracing;
}

/** What the content's snapshot holds besides the entries: paths of cached pages, and the id of the last purge of all instances. */
const aboutContent = z.object({
  pages: z.array(z.string()).default([]),
  lastPurge: z.string().nullable().default(null),
});

/** File of the cached content in `DATA_DIR`. */
export const CONTENT_SNAPSHOT = 'content-cache.snapshot';
/** Pages that are rendered after a restart before anybody requests them. */
const MAX_WARM_UP_TARGETS = 100;
/** The response cache's share of `CACHE_MAX_MB`; the rest is for data, and rendered bodies of articles. */
const RESPONSES_SHARE = 0.5;

/** Makes the content cache and the response cache, and fills them from their snapshots. */
export async function openCaches(options: CachesOptions) {
  const { config, cms, redis, dir, wallClock } = options;
  const accessRing = createAccessRing(options);
  const cache = createContentCache({
    ...options,
    policies: config.policies,
    maxBytes: config.cacheMaxBytes * (1 - RESPONSES_SHARE - BODIES_SHARE),
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
  let known: z.infer<typeof aboutContent> = { pages: [], lastPurge: null };
  const snapshot = createSnapshot({
    ...options,
    name: CONTENT_SNAPSHOT,
    about: aboutContent,
    line: snapshotEntrySchema,
    content: () => ({
      about: {
        pages: responses.recentPages(MAX_WARM_UP_TARGETS),
        lastPurge: redis?.channel.lastPurge() ?? null,
      },
      lines: cache.entries(),
    }),
    revision: cache.entryChanges,
    restore({ about, lines, elapsedMs }) {
      known = about;
      cache.restore(lines, elapsedMs);
    },
  });
  await Promise.all([removeAbandonedDrafts(dir, wallClock()), snapshot.load()]);

  const queries = createCacheQueries(cms);

  return {
    cache,
    responses,
    accessRing,
    policyStore,
    queries,
    warmUpTargets: known.pages,
    /** Id of the last purge that the restored snapshot knew of. */
    lastPurge: known.lastPurge,
    /** Saves the snapshot from time to time. Returns a function that stops it. */
    scheduleSnapshots(): () => void {
      return scheduleSnapshots({
        save: () => void snapshot.save(),
        onPurge: cache.onPurge,
      });
    },
    /** Saves the snapshot a last time. */
    async close(): Promise<void> {
      await snapshot.save();
      await cache.close();
    },
  };
}

import { type ContentCache, createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import type { SecondLevel } from '#server/cache/loading/second-level.ts';
import { byResource } from '#shared/models/resources.ts';
import { seeded, zipf } from '../../tests/seeded.ts';

/** The load and the instances that serve it. */
export interface RecordedAccess {
  pages: number;
  ttlSeconds: number;
  instances: number;
  /** Whether they share a second-level cache. */
  shared: boolean;
  /** Requests of all readers together. */
  readsPerSecond: number;
  minutes: number;
  /** Entries that one instance has room for. */
  roomFor: number;
}

/** Results once the caches are warm. */
export interface Outcome {
  upstreamCallsPerMinute: number;
  /** Share of reads that did not wait for a load. */
  hitRatio: number;
  /** Entries of the first instance at the end. */
  entries: number;
}

export const SEED = 20_261_121;
export const SWR_SECONDS = 600;
export const SIE_SECONDS = 86_400;
/** Size that the cache counts for an entry of the model, whose values are one word. */
const ENTRY_BYTES = 1_015;

/** Runs one real content cache for each instance on a simulated clock. Loads take no time. */
export async function foretell(accessHistory: RecordedAccess): Promise<Outcome> {
  const { pages, ttlSeconds, instances, shared, readsPerSecond, minutes, roomFor } = accessHistory;
  const random = seeded(SEED);
  const nextPage = zipf(pages, random);
  let now = 0;
  let calls = 0;
  const secondLevel = shared ? redisCache(() => now) : undefined;
  const policy = { ttl: ttlSeconds, swr: SWR_SECONDS, sie: SIE_SECONDS };
  const caches = Array.from({ length: instances }, () =>
    createContentCache({
      policies: byResource(() => policy),
      maxBytes: roomFor * ENTRY_BYTES,
      clock: () => now,
      random,
      ...(secondLevel && { secondLevel }),
    }),
  );

  async function read(cache: ContentCache): Promise<void> {
    const key = String(nextPage());
    const load = async () => {
      calls++;
      return 'a';
    };
    await cache.read({ resource: 'article', key, tags: () => [], load }, new DependencyTracker());
  }

  const warmUntil = (minutes * 60_000) / 2;
  let callsWhileCold = 0;
  let hitsWhileCold = 0;
  let isWarm = false;
  for (let reads = 0; now < minutes * 60_000; reads++) {
    now = (reads * 1_000) / readsPerSecond;
    if (!isWarm && now >= warmUntil) {
      isWarm = true;
      callsWhileCold = calls;
      hitsWhileCold = hitsOf(caches);
    }
    const cache = caches[Math.floor(random() * instances)];
    if (cache) await read(cache);
  }
  const reads = (minutes / 2) * 60 * readsPerSecond;
  return {
    upstreamCallsPerMinute: (calls - callsWhileCold) / (minutes / 2),
    hitRatio: (hitsOf(caches) - hitsWhileCold) / reads,
    entries: caches[0]?.stats().article.entries ?? 0,
  };
}

function hitsOf(caches: readonly ContentCache[]): number {
  return caches.reduce((sum, cache) => {
    const { hits, staleHits } = cache.stats().article;
    return sum + hits + staleHits;
  }, 0);
}

/** An in-memory second-level cache with the semantics of `server/redis`. */
export function redisCache(clock: () => number): SecondLevel {
  const stored = new Map<string, { value: unknown; at: number }>();

  return {
    async get(key) {
      const entry = stored.get(key);
      return entry ? { value: entry.value, ageMs: clock() - entry.at } : null;
    },
    set: (key, value) => void stored.set(key, { value, at: clock() }),
    stamp: () => null,
    delete: (key) => void stored.delete(key),
  };
}

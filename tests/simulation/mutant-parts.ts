import type { CacheQuery } from '#server/cache/cache-query.ts';
import {
  type ContentCache,
  type ContentCacheOptions,
  createContentCache,
} from '#server/cache/content-cache.ts';
import type { CacheInvariant } from './cache/cache-invariants.ts';
import { type CacheParts, REAL_PARTS } from './cache/cache-model.ts';

/** Parts with one deliberate bug, and the invariant that must catch it. */
export interface CacheMutant {
  name: string;
  caughtBy: CacheInvariant;
  parts: CacheParts;
}

/** Returns parts with the real content cache, of which some methods are replaced. */
export function withContent(mutate: (cache: ContentCache) => Partial<ContentCache>): CacheParts {
  return {
    ...REAL_PARTS,
    content(options) {
      const cache = createContentCache(options);
      return { ...cache, ...mutate(cache) };
    },
  };
}

/** Returns parts with the real content cache, created with other options. */
export function withOptions(
  change: (options: ContentCacheOptions) => Partial<ContentCacheOptions>,
): CacheParts {
  return { ...REAL_PARTS, content: (options) => createContentCache({ ...options, ...change(options) }) };
}

/** Returns parts with the real content cache, whose loads go through `load`. */
export function withLoads(
  load: <T>(loading: Promise<T>, query: CacheQuery<T>, cache: ContentCache) => Promise<T>,
): CacheParts {
  return withContent((cache) => ({
    read: (query, tracker) =>
      cache.read({ ...query, load: (context) => load(query.load(context), query, cache) }, tracker),
  }));
}

/** Caches a value under a key that is not cached, past all of the cache's checks. */
export function smuggle<T>(cache: ContentCache, { key, resource }: CacheQuery<T>, value: unknown): void {
  const entry = { key, resource, tags: [resource], ageMs: 0, jitter: 1, softPurged: false };
  cache.restore([{ ...entry, value: JSON.parse(JSON.stringify(value)) }], 0);
}

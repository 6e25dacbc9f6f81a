import type { CacheQuery } from '#server/cache/cache-query.ts';
import { type ContentCache, createContentCache } from '#server/cache/content-cache.ts';
import type { CacheInvariant } from './cache-invariants.ts';
import { type CacheParts, REAL_PARTS } from './cache-model.ts';

type ContentOptions = Parameters<typeof createContentCache>[0];

/** A part that is wrong in one way, and the invariant that must catch it. */
export interface CacheMutant {
  name: string;
  caughtBy: CacheInvariant;
  parts: CacheParts;
}

/** The real content cache, with something of it replaced. */
export function withContent(mutate: (cache: ContentCache) => Partial<ContentCache>): CacheParts {
  return {
    ...REAL_PARTS,
    content(options) {
      const cache = createContentCache(options);
      return { ...cache, ...mutate(cache) };
    },
  };
}

/** The real content cache, made with other options. */
export function withOptions(change: (options: ContentOptions) => Partial<ContentOptions>): CacheParts {
  return { ...REAL_PARTS, content: (options) => createContentCache({ ...options, ...change(options) }) };
}

/** The real content cache, of which each load goes through `load`. */
export function withLoads(
  load: <T>(loading: Promise<T>, request: CacheQuery<T>, cache: ContentCache) => Promise<T>,
): CacheParts {
  return withContent((cache) => ({
    read: (request, tracker) =>
      cache.read({ ...request, load: (context) => load(request.load(context), request, cache) }, tracker),
  }));
}

/** Puts a value where no copy stands, whatever the cache thinks of it. */
export function smuggle<T>(cache: ContentCache, { key, resource }: CacheQuery<T>, value: unknown): void {
  const copy = { key, resource, tags: [resource], ageMs: 0, jitter: 1, expired: false };
  cache.restore([{ ...copy, value: JSON.parse(JSON.stringify(value)) }], 0);
}

import type { Forward } from './dependencies/dependency-tracker.ts';

/** What one of our caches did for a request. */
export interface CacheOutcome {
  /** Why the reader waited for a load; null for a hit. */
  forward: Forward | null;
  /** Whole seconds: 1 or more while fresh, -1 or less once stale. */
  ttl: number;
}

/** A response by its `Cache-Status`: ready and fresh, ready and stale, or its reader waited for a load. */
export type CacheResult = 'hit' | 'stale' | 'miss';

/** Returns what `cacheStatus` says, as a metric counts it. */
export function cacheResultOf({ forward, ttl }: CacheOutcome): CacheResult {
  if (forward !== null) return 'miss';
  return ttl > 0 ? 'hit' : 'stale';
}

/** The cache that a response came from: rendered pages, or data. */
export type CacheName = 'page' | 'data';

/** Returns `CacheOutcome.ttl` for milliseconds until the response is stale, negative since then. */
export function secondsOfTtl(freshForMs: number): number {
  const seconds = Math.ceil(Math.round(freshForMs) / 1000);
  return freshForMs > 0 ? Math.max(1, seconds) : Math.min(-1, seconds);
}

/**
 * Returns the `Cache-Status` header (RFC 9211). The cache holds upstream data: a page that was rendered for this request
 * from cached data was not forwarded, so it is a hit.
 */
export function cacheStatus(name: CacheName, { forward, ttl }: CacheOutcome): string {
  return forward === null ? `${name}; hit; ttl=${ttl}` : `${name}; fwd=${forward}`;
}

import type { Forward } from './dependency-tracker.ts';

/** What happened to a request in a cache of ours. */
export interface CacheOutcome {
  /** Why the reader waited for a load; null for a hit. */
  forward: Forward | null;
  /** Whole seconds: 1 or more while fresh, -1 or less once stale. */
  ttl: number;
  /** How long the answer took to be made, in milliseconds; null for one that stood. */
  took: Took | null;
}

/** Milliseconds: the whole of it, and what of that was drawing. */
export interface Took {
  all: number;
  render: number | null;
}

/** Which of our caches answered. */
export type CacheName = 'page' | 'data';

/** Milliseconds of freshness, negative since it went stale, as the whole seconds that `CacheOutcome` has. */
export function secondsOfTtl(freshForMs: number): number {
  const seconds = Math.ceil(Math.round(freshForMs) / 1000);
  return freshForMs > 0 ? Math.max(1, seconds) : Math.min(-1, seconds);
}

/**
 * The `Cache-Status` header (RFC 9211) of one of our caches. Its cache holds what the upstream said: a page that was
 * rendered for this reader from data in memory was forwarded nowhere, and is a hit.
 */
export function cacheStatus(name: CacheName, { forward, ttl }: CacheOutcome): string {
  return forward === null ? `${name}; hit; ttl=${ttl}` : `${name}; fwd=${forward}`;
}

/** The same words for `Server-Timing`, which browsers show beside a request, with the time that a made answer took. */
export function serverTiming(name: CacheName, { forward, took }: CacheOutcome): string {
  const what = `${name};desc=${forward ?? 'hit'}`;
  if (!took) return what;
  const whole = `${what};dur=${took.all.toFixed(1)}`;
  return took.render === null ? whole : `${whole}, render;dur=${took.render.toFixed(1)}`;
}

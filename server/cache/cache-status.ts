/** What happened to a request in a cache of ours. */
export interface CacheOutcome {
  state: 'hit' | 'miss' | 'stale';
  /** Whole seconds, negative when stale. */
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

/** The `Cache-Status` header (RFC 9211) of one of our caches. */
export function cacheStatus(name: CacheName, { state, ttl }: CacheOutcome): string {
  if (state === 'hit') return `${name}; hit; ttl=${ttl}`;
  return state === 'miss' ? `${name}; fwd=miss` : `${name}; fwd=stale; ttl=${ttl}`;
}

/** The same for `Server-Timing`, which browsers show beside a request, with the time that a made answer took. */
export function serverTiming(name: CacheName, { state, took }: CacheOutcome): string {
  if (!took) return `${name};desc=${state}`;
  const whole = `${name};desc=${state};dur=${took.all.toFixed(1)}`;
  return took.render === null ? whole : `${whole}, render;dur=${took.render.toFixed(1)}`;
}

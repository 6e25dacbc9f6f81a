/** What happened to a request in a cache of ours. `ttl` in whole seconds, negative when stale. */
export interface CacheOutcome {
  state: 'hit' | 'miss' | 'stale';
  ttl: number;
}

/** The `Cache-Status` header (RFC 9211) of one of our caches. */
export function cacheStatus(name: 'page' | 'data', { state, ttl }: CacheOutcome): string {
  if (state === 'hit') return `${name}; hit; ttl=${ttl}`;
  return state === 'miss' ? `${name}; fwd=miss` : `${name}; fwd=stale; ttl=${ttl}`;
}

import type { CacheEntry } from './cache-entry.ts';
import type { CacheMode } from './cache-mode.ts';
import type { Policies } from './policies.ts';

/** `stale-if-error`: past `swr`, served only while loading fails. `expired`: past every age (RFC 5861). */
export type FreshnessState = 'fresh' | 'stale' | 'stale-if-error' | 'expired';

/** Computes the state of entries from their age, the policies and the mode. Times in monotonic milliseconds. */
export interface Freshness {
  freshUntil(entry: CacheEntry): number;
  stateOf(entry: CacheEntry, now: number): FreshnessState;
  /** When an entry in `state` enters the next one. */
  endOf(entry: CacheEntry, state: FreshnessState): number;
}

/** Creates the computation. Nothing is stored with the entry, so a policy change applies to entries already cached. */
export function createFreshness(policies: Pick<Policies, 'get'>, mode: CacheMode): Freshness {
  /** A ttl factor above 1 extends freshness until the mode ends, or until the ordinary ttl if that is later. */
  function freshUntil({ resource, storedAt, jitter, softPurgedAt }: CacheEntry): number {
    const ttl = policies.get(resource).ttl * 1000 * jitter;
    if (softPurgedAt !== null) return Math.min(softPurgedAt, storedAt + ttl);
    const factor = mode.ttlFactor();
    if (factor <= 1) return storedAt + ttl * factor;
    return Math.max(storedAt + ttl, Math.min(storedAt + ttl * factor, mode.endsAt()));
  }

  return {
    freshUntil,
    stateOf(entry, now) {
      const { swr, sie } = policies.get(entry.resource);
      const staleForMs = now - freshUntil(entry);
      if (staleForMs < 0) return 'fresh';
      if (staleForMs < swr * 1000) return 'stale';
      return staleForMs < (swr + sie) * 1000 ? 'stale-if-error' : 'expired';
    },
    endOf(entry, state) {
      const { swr, sie } = policies.get(entry.resource);
      const secondsAfterTtl = {
        fresh: 0,
        stale: swr,
        'stale-if-error': swr + sie,
        expired: Number.POSITIVE_INFINITY,
      };
      return freshUntil(entry) + secondsAfterTtl[state] * 1000;
    },
  };
}

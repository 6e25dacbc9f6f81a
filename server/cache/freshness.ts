import type { CacheEntry } from './cache-entry.ts';
import type { CacheMode } from './cache-mode.ts';
import type { Policies } from './policies.ts';

/** `stale-if-error`: past `swr`, served only while its load fails. `expired`: past every age. */
export type FreshnessState = 'fresh' | 'stale' | 'stale-if-error' | 'expired';

/** How old entries are under the policies and the mode in force. */
export interface Freshness {
  /** Monotonic milliseconds. */
  freshUntil(entry: CacheEntry): number;
  stateOf(entry: CacheEntry, now: number): FreshnessState;
  /** When an entry of that age comes to the next one; monotonic milliseconds. */
  endOf(entry: CacheEntry, state: FreshnessState): number;
}

/** Ages are reckoned when they are asked for, so that a change of a policy holds for what is cached. */
export function createFreshness(policies: Pick<Policies, 'get'>, mode: CacheMode): Freshness {
  /** A stretched ttl holds until its mode ends, and no longer than the ordinary one after that. */
  function freshUntil({ resource, storedAt, jitter, expired }: CacheEntry): number {
    const ttl = policies.get(resource).ttl * 1000 * jitter;
    if (expired !== null) return Math.min(expired, storedAt + ttl);
    const factor = mode.ttlFactor();
    if (factor <= 1) return storedAt + ttl * factor;
    return Math.max(storedAt + ttl, Math.min(storedAt + ttl * factor, mode.endsAt()));
  }

  return {
    freshUntil,
    stateOf(entry, now) {
      const { swr, sie } = policies.get(entry.resource);
      const past = now - freshUntil(entry);
      if (past < 0) return 'fresh';
      if (past < swr * 1000) return 'stale';
      return past < (swr + sie) * 1000 ? 'stale-if-error' : 'expired';
    },
    endOf(entry, state) {
      const { swr, sie } = policies.get(entry.resource);
      const lastsFor = {
        fresh: 0,
        stale: swr,
        'stale-if-error': swr + sie,
        expired: Number.POSITIVE_INFINITY,
      };
      return freshUntil(entry) + lastsFor[state] * 1000;
    },
  };
}

import type { CacheEntry } from './cache-entry.ts';
import type { CacheMode } from './cache-mode.ts';
import type { Policies } from './policies.ts';

/** `stale-if-error`: past `swr`, served only while loading fails. `expired`: past every age (RFC 5861). */
export type FreshnessState = 'fresh' | 'stale' | 'stale-if-error' | 'expired';

/**
 * Creates the computation of an entry's state from its age, the policies and the mode. Times in monotonic milliseconds.
 * Nothing is stored with the entry, so a policy change applies to entries already cached.
 */
export function createFreshness(
  policies: Pick<Policies, 'get'>,
  mode: Pick<CacheMode, 'ttlFactor' | 'endsAt'>,
) {
  /** A ttl factor above 1 extends freshness until the mode ends, or until the ordinary ttl if that is later. */
  function freshUntil({ resource, storedAt, jitter, softPurgedAt }: CacheEntry): number {
    const ttl = policies.get(resource).ttl * 1000 * jitter;
    if (softPurgedAt !== null) return Math.min(softPurgedAt, storedAt + ttl);
    const factor = mode.ttlFactor();
    if (factor <= 1) return storedAt + ttl * factor;
    return Math.max(storedAt + ttl, Math.min(storedAt + ttl * factor, mode.endsAt()));
  }

  /** Returns the state, and when the entry enters the next one. */
  function stateUntil(entry: CacheEntry, now: number): { state: FreshnessState; until: number } {
    const { swr, sie } = policies.get(entry.resource);
    const fresh = freshUntil(entry);
    const stale = fresh + swr * 1000;
    const staleIfError = stale + sie * 1000;
    if (now < fresh) return { state: 'fresh', until: fresh };
    if (now < stale) return { state: 'stale', until: stale };
    if (now < staleIfError) return { state: 'stale-if-error', until: staleIfError };
    return { state: 'expired', until: Number.POSITIVE_INFINITY };
  }

  return {
    freshUntil,
    stateUntil,
    stateOf: (entry: CacheEntry, now: number): FreshnessState => stateUntil(entry, now).state,
  };
}

export type Freshness = ReturnType<typeof createFreshness>;

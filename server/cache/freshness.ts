import type { Entry } from './cache-entry.ts';
import type { CacheMode } from './cache-mode.ts';
import type { PolicyTable } from './policies.ts';

/** `erring`: past `swr`, served only while its load fails. `dead`: past every age. */
export type Age = 'fresh' | 'stale' | 'erring' | 'dead';

/** How old entries are under the policies and the mode in force. */
export interface Ages {
  /** Monotonic milliseconds. */
  freshUntil(entry: Entry): number;
  ageOf(entry: Entry, now: number): Age;
  /** When an entry of that age comes to the next one; monotonic milliseconds. */
  endOf(entry: Entry, age: Age): number;
}

/** Ages are reckoned when they are asked for, so that a change of a policy holds for what is cached. */
export function createAges(policies: Pick<PolicyTable, 'get'>, mode: CacheMode): Ages {
  /** A stretched ttl holds until its mode ends, and no longer than the ordinary one after that. */
  function freshUntil({ resource, storedAt, jitter, expired }: Entry): number {
    const ttl = policies.get(resource).ttl * 1000 * jitter;
    if (expired !== null) return Math.min(expired, storedAt + ttl);
    const factor = mode.ttlFactor();
    if (factor <= 1) return storedAt + ttl * factor;
    return Math.max(storedAt + ttl, Math.min(storedAt + ttl * factor, mode.endsAt()));
  }

  return {
    freshUntil,
    ageOf(entry, now) {
      const { swr, sie } = policies.get(entry.resource);
      const past = now - freshUntil(entry);
      if (past < 0) return 'fresh';
      if (past < swr * 1000) return 'stale';
      return past < (swr + sie) * 1000 ? 'erring' : 'dead';
    },
    endOf(entry, age) {
      const { swr, sie } = policies.get(entry.resource);
      const lastsFor = { fresh: 0, stale: swr, erring: swr + sie, dead: Number.POSITIVE_INFINITY };
      return freshUntil(entry) + lastsFor[age] * 1000;
    },
  };
}

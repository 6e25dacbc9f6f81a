import type { LRUCache } from 'lru-cache';
import type { AccessHistory } from './access-history/access-history.ts';
import type { CacheEntry } from './cache-entry.ts';
import type { CacheMode } from './cache-mode.ts';
import { type Dependency, NO_DATA_FRESH_MS, type ReadStates } from './dependency-tracker.ts';
import type { Freshness, FreshnessState } from './freshness.ts';
import type { ResourceStatsCounter } from './resource-stats.ts';

/** The data that a response was made of, as it is now. */
export interface DependencyCheck {
  /** It is still what the response was made of, and may be sent. */
  unchanged: boolean;
  /** Until the first of it goes stale; negative: stale since. */
  freshForMs: number;
  /** How long `freshForMs` and `stale` hold if nothing but time passes. */
  sameForMs: number;
  /** Keys of what is past its ttl. */
  stale: ReadonlySet<string>;
}

export interface DependencyChecksDeps {
  entries: LRUCache<string, CacheEntry>;
  freshness: Freshness;
  mode: CacheMode;
  count: ResourceStatsCounter['count'];
  accessHistory: Pick<AccessHistory, 'read'>;
  /** Nobody with an old copy waits for the load of that key. */
  isFailing: (key: string) => boolean;
  /** Monotonic milliseconds. */
  clock: () => number;
}

const NONE: ReadonlySet<string> = new Set();
const CHANGED: DependencyCheck = { unchanged: false, freshForMs: 0, sameForMs: 0, stale: NONE };

/** What cached responses ask of the content cache about the data that they were made of. */
export function createDependencyChecks(deps: DependencyChecksDeps) {
  const { entries, freshness, mode, count, accessHistory, isFailing, clock } = deps;
  const { freshUntil, stateOf, endOf } = freshness;

  /** What needs no data never goes stale, and is looked at again all the same. */
  function longest(dependencies: readonly Dependency[], now: number): number {
    return dependencies.length === 0 ? now + NO_DATA_FRESH_MS : Number.POSITIVE_INFINITY;
  }

  /** True where a page may be sent with this entry in it. Starts the refresh that a stale one is due. */
  function stands(entry: CacheEntry, key: string, state: FreshnessState): boolean {
    if (state === 'fresh' || mode.name() === 'freeze') return true;
    if (state === 'stale' || (state === 'stale-if-error' && isFailing(key))) {
      entry.renew?.();
      return true;
    }
    return false;
  }

  return {
    /**
     * Looks at the data of a page. A page counts as a reader: what it finds stale is refreshed; what a reader would
     * wait for, it does not stand on.
     */
    check(dependencies: readonly Dependency[]): DependencyCheck {
      const now = clock();
      if (mode.name() === 'bypass') return CHANGED;
      let until = longest(dependencies, now);
      let sameUntil = mode.endsAt() > now ? Math.min(until, mode.endsAt()) : until;
      const stale: string[] = [];
      for (const { key, version } of dependencies) {
        const entry = entries.get(key);
        if (entry?.version !== version) return CHANGED;
        const state = stateOf(entry, now);
        if (!stands(entry, key, state)) return CHANGED;
        if (state !== 'fresh') stale.push(key);
        until = Math.min(until, freshUntil(entry));
        sameUntil = Math.min(sameUntil, endOf(entry, state));
      }
      return {
        unchanged: true,
        freshForMs: until - now,
        sameForMs: sameUntil - now,
        stale: stale.length === 0 ? NONE : new Set(stale),
      };
    },

    /** How long a page's data stays fresh (negative: stale since; null: it is other data now). Nobody is counted. */
    freshFor(dependencies: readonly Dependency[]): number | null {
      const now = clock();
      let until = longest(dependencies, now);
      for (const { key, version } of dependencies) {
        const entry = entries.peek(key);
        if (entry?.version !== version) return null;
        until = Math.min(until, freshUntil(entry));
      }
      return until - now;
    },

    /**
     * Counts readers of a response, which was cached or being made when they came, at `at`: each of them read all of
     * its data, in the states that it had then. The entries may be others by now.
     */
    credit(
      dependencies: readonly Dependency[],
      { stale, loaded }: ReadStates,
      readers: number,
      at: number,
    ): void {
      for (const { key, resource } of dependencies) {
        const hit = stale.has(key) ? 'staleHits' : 'hits';
        count(resource, loaded.has(key) ? 'coalesced' : hit, readers);
        accessHistory.read(resource, key, readers, Math.min(at, entries.peek(key)?.storedAt ?? at), at);
      }
    },
  };
}

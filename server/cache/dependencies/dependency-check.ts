import type { AccessRing } from '#server/cache/access-ring.ts';
import type { CacheEntry } from '#server/cache/cache-entry.ts';
import type { FreshnessState } from '#server/cache/freshness.ts';
import type { CacheLoaderOptions } from '#server/cache/loading/cache-loader.ts';
import { type Dependency, NO_DATA_FRESH_MS, type ReadStates } from './dependency-tracker.ts';

/** The present state of the data that a response was built from. */
export interface DependencyCheck {
  /** The response would be built from the same values, and may be served. */
  unchanged: boolean;
  /** Until the first dependency becomes stale; negative: since then. */
  freshForMs: number;
  /** How long `freshForMs` and `stale` stay right if nothing but time passes. */
  sameForMs: number;
  stale: ReadonlySet<string>;
}

export interface DependencyChecksDeps
  extends Pick<CacheLoaderOptions, 'store' | 'freshness' | 'mode' | 'count' | 'clock'> {
  accessRing: Pick<AccessRing, 'read'>;
  /** Whether a value may be served as it is. Starts the refresh of a stale one. */
  mayBeServed: (entry: CacheEntry, key: string, state: FreshnessState) => boolean;
}

const NONE: ReadonlySet<string> = new Set();
const CHANGED: DependencyCheck = { unchanged: false, freshForMs: 0, sameForMs: 0, stale: NONE };

/** Creates the part of the content cache that cached responses use to check the data they were built from. */
export function createDependencyChecks(deps: DependencyChecksDeps) {
  const { store, freshness, mode, count, accessRing, mayBeServed, clock } = deps;
  const { freshUntil, stateUntil } = freshness;

  /** Returns until when a response is fresh at the latest, before its data is looked at. */
  function latestFreshUntil(dependencies: readonly Dependency[], now: number): number {
    return dependencies.length === 0 ? now + NO_DATA_FRESH_MS : Number.POSITIVE_INFINITY;
  }

  return {
    /** Checks dependencies as a read of each would: refreshes what is stale; what a reader would wait for counts as changed. */
    check(dependencies: readonly Dependency[]): DependencyCheck {
      const now = clock.monotonic();
      if (mode.name() === 'bypass') return CHANGED;
      let until = latestFreshUntil(dependencies, now);
      let sameUntil = mode.endsAt() > now ? Math.min(until, mode.endsAt()) : until;
      const stale: string[] = [];
      for (const { key, version } of dependencies) {
        const entry = store.get(key);
        if (entry?.version !== version) return CHANGED;
        const { state, until: endsAt } = stateUntil(entry, now);
        if (!mayBeServed(entry, key, state)) return CHANGED;
        if (state !== 'fresh') stale.push(key);
        until = Math.min(until, freshUntil(entry));
        sameUntil = Math.min(sameUntil, endsAt);
      }
      return {
        unchanged: true,
        freshForMs: until - now,
        sameForMs: sameUntil - now,
        stale: stale.length === 0 ? NONE : new Set(stale),
      };
    },

    /** Returns for how long (ms) they stay fresh; negative: stale since; null: changed. Counts no read, refreshes nothing. */
    freshFor(dependencies: readonly Dependency[]): number | null {
      const now = clock.monotonic();
      let until = latestFreshUntil(dependencies, now);
      for (const { key, version } of dependencies) {
        const entry = store.peek(key);
        if (entry?.version !== version) return null;
        until = Math.min(until, freshUntil(entry));
      }
      return until - now;
    },

    /** Counts a read of each dependency for each reader, at the time `at`. The entries may be others by now. */
    countReads(
      dependencies: readonly Dependency[],
      { stale, loaded }: ReadStates,
      readers: number,
      at: number,
    ): void {
      for (const { key, resource } of dependencies) {
        const hit = stale.has(key) ? 'staleHits' : 'hits';
        const storedAt = Math.min(at, store.peek(key)?.storedAt ?? at);
        count(resource, loaded.has(key) ? 'coalesced' : hit, readers);
        if (!loaded.has(key)) count(resource, 'servedAgeSeconds', ((at - storedAt) / 1000) * readers);
        accessRing.read(resource, key, readers, false, at);
      }
    },
  };
}

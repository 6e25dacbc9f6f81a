import { type Clock, withTimeout } from '#server/time.ts';
import { NO_TRACING, type Tracing } from '#server/tracing/tracing.ts';
import type { Policy, Resource } from '#shared/models/resources-and-policies.ts';
import type { AccessRing } from './access-ring.ts';
import type { CacheEntry } from './cache-entry.ts';
import { createEvent, type LoadFailure, type NewValue, type Purge, type PurgeEvent } from './cache-events.ts';
import { createCacheMode, Frozen } from './cache-mode.ts';
import { Absent, type CacheQuery, storedValue } from './cache-query.ts';
import { createDependencyChecks } from './dependencies/dependency-check.ts';
import type { Dependency, DependencyTracker, ReadState } from './dependencies/dependency-tracker.ts';
import { createEntryStore } from './entry-store.ts';
import { createFreshness } from './freshness.ts';
import { createCacheLoader, type SecondLevel } from './loading/cache-loader.ts';
import { createPolicies } from './policies.ts';
import { createResourceStats, type ResourceStats } from './resource-stats.ts';
import type { SnapshotEntry } from './snapshot/snapshot-entry.ts';

export interface ContentCacheOptions {
  policies: Readonly<Record<Resource, Policy>>;
  maxBytes: number;
  clock: Clock;
  random?: () => number;
  secondLevel?: SecondLevel | null | undefined;
  accessRing?: Pick<AccessRing, 'read' | 'changed'> | undefined;
  tracing?: Pick<Tracing, 'child' | 'later' | 'current'> | undefined;
  logger?: { warn(about: object, message: string): void } | undefined;
}

/** A reader of a value past `swr` waits this long for its load, then gets the cached value. */
export const STALE_WAIT_MS = 250;

/**
 * Creates the cache of our own model, by key and tags, with single-flight loads (RFC 5861): a fresh value is served from
 * memory; a stale one too, while it is refreshed in the background; past `swr` a reader waits for the load, and gets the
 * cached value for `sie` more seconds if that is slow or fails. A failed load never replaces a value.
 */
export function createContentCache(options: ContentCacheOptions) {
  const { maxBytes, clock, random = Math.random, secondLevel = null, tracing = NO_TRACING } = options;
  const { accessRing = { read: () => undefined, changed: () => undefined } } = options;
  const { logger = { warn: () => undefined } } = options;
  const policies = createPolicies(options.policies);
  const mode = createCacheMode(clock);
  const freshness = createFreshness(policies, mode);
  const { freshUntil, stateOf } = freshness;
  const { count, stats, ...sizes } = createResourceStats();
  const store = createEntryStore({ maxBytes, clock, random, stats: sizes });
  const newValue = createEvent<NewValue>();
  const failure = createEvent<LoadFailure>();
  const freshnessChange = createEvent<void>();
  const beforeStats = createEvent<void>();
  const purged = createEvent<PurgeEvent>();
  const parts = { store, freshness, mode, count, accessRing, clock };
  const loader = createCacheLoader({
    ...parts,
    policies,
    secondLevel,
    tracing,
    logger,
    onNewValue: newValue.emit,
    onFailure: failure.emit,
  });
  const { loads, failureCache, refreshes, usable, load, refresh, readSecondLevel } = loader;
  policies.onChange(freshnessChange.emit);
  mode.onChange(freshnessChange.emit);

  /** `cold`: nothing was cached when the reader came. */
  function serve<T>(
    entry: CacheEntry,
    query: CacheQuery<T>,
    tracker: DependencyTracker,
    state: ReadState,
    cold = false,
  ): T {
    const { key, resource } = query;
    accessRing.read(resource, key, 1, cold);
    tracker.record({ resource, key, version: entry.version }, state, freshUntil(entry));
    return storedValue(entry, query);
  }

  /**
   * Whether a value may be served as it is, to a reader or in a cached response; nothing else decides it. While the cache is
   * frozen each may, in bypass none; else one that is fresh or stale, and past `swr` one whose load fails or hangs. Starts
   * the background refresh of what is not fresh.
   */
  function mayBeServed(entry: CacheEntry, key: string, state = stateOf(entry, clock.monotonic())): boolean {
    const name = mode.name();
    if (name !== 'normal') return name === 'freeze';
    const may = state === 'fresh' || state === 'stale' || (state === 'stale-if-error' && isFailing(key));
    if (may && state !== 'fresh') entry.refresh?.();
    return may;
  }

  async function readUntraced<T>(query: CacheQuery<T>, tracker: DependencyTracker): Promise<T> {
    const { key, resource } = query;
    const entry = store.get(key);
    // A snapshot holds no queries: its entries get theirs from the first read.
    if (entry) entry.refresh ??= () => refresh(query);
    if (entry && mayBeServed(entry, key)) return serveCached(entry, query, tracker);
    if (mode.name() === 'freeze') throw failureCache.isAbsent(key) ? new Absent() : new Frozen(resource);
    const stale = usable(key);
    if (stale || mode.name() === 'bypass') return readLoading(query, tracker, stale);
    const found = readSecondLevel && (await readSecondLevel(query));
    if (found && mayBeServed(found, key)) return serveCached(found, query, tracker);
    if (found) return readLoading(query, tracker, found);
    // The mode may have changed meanwhile.
    if (readSecondLevel && mode.name() !== 'normal') return readUntraced(query, tracker);
    if (failureCache.isAbsent(key)) throw new Absent();
    return readLoading(query, tracker);
  }

  /** Waits for a load. Serves `fallback` if it fails, has just failed, or is slow: in bypass it may take its time. */
  async function readLoading<T>(
    query: CacheQuery<T>,
    tracker: DependencyTracker,
    fallback: CacheEntry | null = null,
  ): Promise<T> {
    const { key, resource } = query;
    const cold = fallback === null;
    const recent = mode.name() === 'bypass' ? null : failureCache.recentFailure(key);
    if (recent && fallback) return serveCached(fallback, query, tracker);
    if (recent) throw recent.error;
    const isStale = !cold && mode.name() !== 'bypass';
    tracker.recordWait(isStale ? 'stale' : 'miss');
    const outdated = isStale ? null : loads.outdated(key);
    if (outdated) {
      await outdated;
      // The mode and the policies may have changed meanwhile.
      return readUntraced(query, tracker);
    }
    const outcome = loads.has(key) ? 'coalesced' : 'misses';
    try {
      const loading = load(query, cold);
      const loaded = isStale ? await withTimeout(remainingWaitMs(key), loading) : await loading;
      if (loaded === null) throw new Error('the load is slow');
      count(resource, outcome);
      return serve(loaded, query, tracker, 'miss', cold);
    } catch (error) {
      if (fallback && !(error instanceof Absent)) return serveCached(fallback, query, tracker);
      count(resource, outcome);
      throw error;
    }
  }

  function serveCached<T>(entry: CacheEntry, query: CacheQuery<T>, tracker: DependencyTracker): T {
    const isFresh = stateOf(entry, clock.monotonic()) === 'fresh';
    count(query.resource, isFresh ? 'hits' : 'staleHits');
    count(query.resource, 'servedAgeSeconds', (clock.monotonic() - entry.storedAt) / 1000);
    return serve(entry, query, tracker, isFresh ? 'hit' : 'stale');
  }

  /** Whether the key's load failed lately or hangs: readers of an old value then do not wait for it. */
  function isFailing(key: string): boolean {
    return failureCache.isFailing(key) || remainingWaitMs(key) <= 0;
  }

  function remainingWaitMs(key: string): number {
    return STALE_WAIT_MS - loads.elapsedMs(key);
  }

  return {
    /** A key whose value changed upstream, or is absent there now. Not called by a purge alone. */
    onNewValue: newValue.on,
    onFailure: failure.on,
    /** Policies or the mode changed, so that any entry may have become stale or fresh. */
    onFreshnessChange: freshnessChange.on,
    /** Before the statistics are read: reads that are still to be counted are counted now. */
    onBeforeStats: beforeStats.on,
    /** After each purge: a response under construction may contain purged values and must not be shared any more. */
    onPurge: purged.on,

    policies,
    mode,

    /**
     * Describes a key for operators; loads nothing and counts no read. What only an entry has is null without one. `ageSeconds`:
     * since it was loaded from the upstream. `nextRefreshSeconds`: until a read refreshes it, 0 if the next does.
     */
    explain(key: string, resource: string) {
      const now = clock.monotonic();
      const entry = store.peek(key);
      const last = failureCache.lastFailure(key);
      const stateWithout = failureCache.isAbsent(key) ? ('absent' as const) : ('missing' as const);
      return {
        key,
        resource,
        state: entry ? stateOf(entry, now) : stateWithout,
        ageSeconds: entry ? seconds(now - entry.storedAt) : null,
        nextRefreshSeconds: entry ? seconds(Math.max(0, freshUntil(entry) - now)) : null,
        tags: entry?.tags ?? [],
        bytes: entry?.bytes ?? 0,
        version: entry?.version ?? null,
        lastError: last && { message: messageOf(last.error), secondsAgo: seconds(now - last.at) },
      };
    },

    /** Whether a key's load has taken `ms` and longer: the one in flight, or the last one, which failed a moment ago. */
    isSlow: (key: string, ms: number): boolean =>
      loads.elapsedMs(key) >= ms || failureCache.hasFailedSlowly(key, ms),

    waitingRefreshes: (): number => refreshes.waiting,

    /** Resolves with the value from memory or from a load. Rejects with `Absent`, `Frozen`, or what `load` rejects with. */
    read<T>(query: CacheQuery<T>, tracker: DependencyTracker): Promise<T> {
      const { key, resource } = query;
      tracker.keys.add(key);
      return tracing.child('cache get', {}, async (span) => {
        const loadedAs = loads.has(key) ? 'coalesced' : 'miss';
        let result = 'error';
        try {
          const value = await readUntraced(query, tracker);
          if (tracker.loaded.has(key)) result = loadedAs;
          else result = tracker.stale.has(key) ? 'stale' : 'hit';
          return value;
        } catch (error) {
          if (error instanceof Absent) {
            tracker.absentKey = key;
            result = 'absent';
          }
          throw error;
        } finally {
          span.setAttributes({ 'cache.resource': resource, 'cache.result': result });
        }
      });
    },

    /**
     * Returns the cached value of a query whose load fails or takes too long; null where there is none, or `read` would have
     * served it.
     */
    readCached<T>(query: CacheQuery<T>, tracker: DependencyTracker): T | null {
      const entry = mode.name() === 'bypass' ? usable(query.key) : null;
      return entry && serveCached(entry, query, tracker);
    },

    /** Returns the tags of the entries that some dependencies name, as far as they are cached. */
    tagsOf: (dependencies: readonly Pick<Dependency, 'key'>[]): string[] =>
      dependencies.flatMap(({ key }) => store.peek(key)?.tags ?? []),

    /** Whether a soft purge concerns an entry that some dependencies name. */
    isSoftlyPurged: (dependencies: readonly Pick<Dependency, 'key'>[]): boolean =>
      dependencies.some(({ key }) => (store.peek(key)?.softPurgedAt ?? null) !== null),

    /** Returns for how much longer reads of a key reject with `Absent` without a load, in milliseconds. */
    absentForMs: (key: string): number => (mode.name() === 'bypass' ? 0 : failureCache.absentForMs(key)),

    ...createDependencyChecks({ ...parts, mayBeServed }),

    /** Returns the keys of the entries that a purge would concern. */
    purgeable: store.find,

    /** Removes entries, or makes them stale (`soft`). Returns how many. */
    purge(purge: Purge): number {
      const { tags = [], keys = [], all = false, soft = false } = purge;
      const named = new Set(keys);
      const found = store.find(purge);
      // The tags of what is not cached are not known, so any tag may be among them.
      const mayBePurged = (key: string) =>
        all || named.has(key) || found.has(key) || (tags.length > 0 && !store.has(key));
      loader.purged(purge, found, mayBePurged);
      for (const key of found) {
        if (soft) store.softPurge(key);
        else store.delete(key);
      }
      purged.emit({ ...purge, mayBePurged });
      return found.size;
    },

    /** Whether much of the upstream's content is missing there, so that what is cached stays. */
    isUpstreamMissingContent: loader.isMissingContent,

    stats(): Record<Resource, ResourceStats> {
      beforeStats.emit();
      return stats(policies.get);
    },

    entries: store.snapshot,

    /** Grows with each entry that is stored or removed: while it is the same, nothing that was stale has become fresh. */
    entryChanges: store.changes,

    /** Restores a snapshot taken `elapsedMs` ago, least recently used first. Keys that are cached keep their entry. */
    restore(saved: readonly SnapshotEntry[], elapsedMs: number): void {
      for (const one of saved.toReversed()) {
        const entry = store.fromSnapshot(one, elapsedMs);
        const isExpired = stateOf(entry, clock.monotonic()) === 'expired';
        if (!store.has(one.key) && !isExpired) store.set(one.key, entry);
      }
    },

    /** Starts no refresh any more. */
    close: refreshes.close,
  };
}

export type ContentCache = ReturnType<typeof createContentCache>;

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** Load errors name the call and what failed, and contain no personal data. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}

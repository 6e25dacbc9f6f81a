import { LRUCache } from 'lru-cache';
import { NO_TRACING, type Tracing } from '#server/tracing/tracing.ts';
import type { Resource } from '#shared/models/resources.ts';
import type { AccessHistory } from './access-history/access-history.ts';
import type { CacheEntry } from './cache-entry.ts';
import { createEvent, type NewValue } from './cache-events.ts';
import { createCacheMode, Frozen } from './cache-mode.ts';
import { Absent, type CacheQuery } from './cache-query.ts';
import type { Policy } from './default-policies.ts';
import { createDependencyChecks } from './dependencies/dependency-check.ts';
import type { Dependency, DependencyTracker, ReadState } from './dependencies/dependency-tracker.ts';
import { type ExplainedEntry, explainEntry } from './explain-entry.ts';
import { createFreshness } from './freshness.ts';
import { createCacheLoader } from './loading/cache-loader.ts';
import type { SecondLevel } from './loading/second-level.ts';
import { withTimeout } from './loading/single-flight.ts';
import { createPolicies } from './policies.ts';
import type { Purge } from './purge.ts';
import { createResourceStats, type ResourceStats } from './resource-stats.ts';
import { type SnapshotEntry, toSnapshotEntry } from './snapshot/snapshot-entry.ts';

export interface ContentCacheOptions {
  policies: Readonly<Record<Resource, Policy>>;
  maxBytes: number;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** From 0 to 1, for the jitter of TTLs. */
  random?: () => number;
  /** Shared by several instances. */
  secondLevel?: SecondLevel | null | undefined;
  /** Records reads and changes for the TTL simulator. */
  accessHistory?: Pick<AccessHistory, 'read' | 'changed'> | undefined;
  /** How long a reader of a value past SWR waits for its load, in milliseconds. */
  staleWaitMs?: number | undefined;
  tracing?: Pick<Tracing, 'child' | 'root' | 'current'> | undefined;
}

/** A reader of a value past `swr` waits this long for its load, then gets the cached value. */
export const STALE_WAIT_MS = 250;
const NO_ACCESS_HISTORY: NonNullable<ContentCacheOptions['accessHistory']> = {
  read: () => undefined,
  changed: () => undefined,
};

/**
 * Creates the cache of our own model, by key and tags, with single-flight loads (RFC 5861): a fresh value is served from
 * memory; a stale one too, while it is refreshed in the background; past `swr` a reader waits for the load, and gets the
 * cached value for `sie` more seconds if that is slow or fails. A failed load never replaces a value.
 */
export function createContentCache({
  policies: configured,
  maxBytes,
  clock,
  random = Math.random,
  secondLevel = null,
  accessHistory = NO_ACCESS_HISTORY,
  staleWaitMs = STALE_WAIT_MS,
  tracing = NO_TRACING,
}: ContentCacheOptions) {
  const policies = createPolicies(configured);
  const mode = createCacheMode(clock);
  const freshness = createFreshness(policies, mode);
  const { freshUntil, stateOf } = freshness;
  const { count, added, removed, stats } = createResourceStats();
  const entries = new LRUCache<string, CacheEntry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    onInsert: added,
    dispose: removed,
  });
  const change = createEvent<string[]>();
  const newValue = createEvent<NewValue>();
  const freshnessChange = createEvent<void>();
  const beforeStats = createEvent<void>();
  const purged = createEvent<Purge>();
  const parts = { entries, freshness, mode, count, accessHistory, clock };
  const loader = createCacheLoader({
    ...parts,
    policies,
    secondLevel,
    random,
    tracing,
    onChange: change.emit,
    onNewValue: newValue.emit,
  });
  const { loads, failureCache, refreshes, load, refresh, readSecondLevel, restore, stores } = loader;
  policies.onChange(freshnessChange.emit);
  mode.onChange(freshnessChange.emit);

  /** `found`: what was cached when the reader came. */
  function serve<T>(
    entry: CacheEntry,
    { key, resource }: CacheQuery<T>,
    tracker: DependencyTracker,
    state: ReadState,
    found: CacheEntry | null = entry,
  ): T {
    accessHistory.read(resource, key, 1, found?.storedAt ?? null);
    tracker.record({ resource, key, version: entry.version }, state, freshUntil(entry));
    // Only a load of this same query stores an entry under its key.
    return entry.value as T;
  }

  async function read<T>(query: CacheQuery<T>, tracker: DependencyTracker): Promise<T> {
    const entry = entries.get(query.key);
    // A snapshot holds no queries: its entries get theirs from the first read.
    if (entry) entry.refresh ??= () => refresh(query);
    if (mode.name() === 'freeze') return readFrozen(entry, query, tracker);
    const state = entry ? stateOf(entry, clock()) : 'expired';
    if (mode.name() === 'bypass') return readLoading(query, tracker, state === 'expired' ? null : entry);
    if (!entry || state === 'expired') {
      const isFound = readSecondLevel && (await readSecondLevel(query));
      if (isFound) return read(query, tracker);
      if (failureCache.isAbsent(query.key)) throw new Absent();
      return readLoading(query, tracker);
    }
    if (state === 'stale-if-error') return readStaleIfError(entry, query, tracker);
    if (state === 'stale') refresh(query);
    return serveCached(entry, query, tracker);
  }

  /** Waits for a load. Serves `fallback` only if that fails, or has failed just before. */
  async function readLoading<T>(
    query: CacheQuery<T>,
    tracker: DependencyTracker,
    fallback: CacheEntry | null = null,
  ): Promise<T> {
    const { key, resource } = query;
    const failure = failureCache.recentFailure(key);
    if (failure && fallback) return serveCached(fallback, query, tracker);
    if (failure) throw failure.error;
    tracker.recordWait('miss');
    const outdated = loads.outdated(key);
    if (outdated) {
      await outdated;
      // The mode and the policies may have changed meanwhile.
      return read(query, tracker);
    }
    const outcome = loads.has(key) ? 'coalesced' : 'misses';
    try {
      const loaded = await load(query, !fallback);
      count(resource, outcome);
      return serve(loaded, query, tracker, 'miss', fallback);
    } catch (error) {
      if (fallback && !(error instanceof Absent)) return serveCached(fallback, query, tracker);
      count(resource, outcome);
      throw error;
    }
  }

  async function readStaleIfError<T>(
    entry: CacheEntry,
    query: CacheQuery<T>,
    tracker: DependencyTracker,
  ): Promise<T> {
    const { key, resource } = query;
    if (isFailing(key)) {
      refresh(query);
      return serveCached(entry, query, tracker);
    }
    tracker.recordWait('stale');
    const outcome = loads.has(key) ? 'coalesced' : 'misses';
    const loaded = await withTimeout(remainingWaitMs(key), load(query, false).catch(absentOrNull));
    if (loaded === 'absent') throw new Absent();
    if (!loaded) return serveCached(entry, query, tracker);
    count(resource, outcome);
    return serve(loaded, query, tracker, 'miss', entry);
  }

  function readFrozen<T>(entry: CacheEntry | undefined, query: CacheQuery<T>, tracker: DependencyTracker): T {
    const { key, resource } = query;
    if (!entry) throw failureCache.isAbsent(key) ? new Absent() : new Frozen(resource);
    return serveCached(entry, query, tracker);
  }

  function serveCached<T>(entry: CacheEntry, query: CacheQuery<T>, tracker: DependencyTracker): T {
    const isFresh = stateOf(entry, clock()) === 'fresh';
    count(query.resource, isFresh ? 'hits' : 'staleHits');
    count(query.resource, 'servedAgeSeconds', (clock() - entry.storedAt) / 1000);
    return serve(entry, query, tracker, isFresh ? 'hit' : 'stale');
  }

  /** Whether the key's load failed lately or hangs: readers of an old value then do not wait for it. */
  function isFailing(key: string): boolean {
    return failureCache.isFailing(key) || remainingWaitMs(key) <= 0;
  }

  function remainingWaitMs(key: string): number {
    return staleWaitMs - loads.elapsedMs(key);
  }

  function explain(key: string, resource: string): ExplainedEntry {
    const now = clock();
    const entry = entries.peek(key);
    return explainEntry({
      key,
      resource,
      cached: entry ? { entry, state: stateOf(entry, now), freshUntil: freshUntil(entry) } : null,
      isAbsent: failureCache.isAbsent(key),
      loading: loads.has(key),
      failure: failureCache.lastFailure(key),
      now,
    });
  }

  return {
    /** Keys whose value changed or is gone. */
    onChange: change.on,
    /** A key whose value changed upstream, or is absent there now. Not called by a purge alone. */
    onNewValue: newValue.on,
    /** Policies or the mode changed, so that any entry may have become stale or fresh. */
    onFreshnessChange: freshnessChange.on,
    /** Before the statistics are read: reads that are still to be counted are counted now. */
    onBeforeStats: beforeStats.on,
    /** After each purge: a response under construction may contain purged values and must not be shared any more. */
    onPurge: purged.on,

    policies,
    mode,

    /** Describes a key for operators. Loads nothing and counts no read. */
    explain,

    /** Describes keys that are not cached and whose last load failed, the latest first, at most `most`. */
    failing(most: number): ExplainedEntry[] {
      const keys = failureCache
        .failedKeys()
        .filter((key) => !entries.has(key))
        .slice(0, most);
      return keys.map((key) => explain(key, key.split('/', 1)[0] ?? key));
    },

    /** Returns the numbers of background refreshes. */
    refreshes: () => ({ running: refreshes.running, waiting: refreshes.waiting }),

    /**
     * Resolves with the value from memory or from a load. Rejects with `Absent`, `Frozen`, or what `load` rejects with. Its
     * span has the result in the words of the metric `cache_requests_total`; `absent` for negative caching.
     */
    read<T>(query: CacheQuery<T>, tracker: DependencyTracker): Promise<T> {
      const { key, resource } = query;
      return tracing.child('cache get', {}, async (span) => {
        const loadedAs = loads.has(key) ? 'coalesced' : 'miss';
        let result = 'error';
        try {
          const value = await read(query, tracker);
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

    /** Returns the tags of the entries that some dependencies name, as far as they are cached. */
    tagsOf: (dependencies: readonly Pick<Dependency, 'key'>[]): string[] =>
      dependencies.flatMap(({ key }) => entries.peek(key)?.tags ?? []),

    /** Whether a soft purge concerns an entry that some dependencies name. */
    isSoftlyPurged: (dependencies: readonly Pick<Dependency, 'key'>[]): boolean =>
      dependencies.some(({ key }) => (entries.peek(key)?.softPurgedAt ?? null) !== null),

    /** Returns for how much longer reads of a key reject with `Absent` without a load, in milliseconds. */
    absentForMs: (key: string): number => (mode.name() === 'bypass' ? 0 : failureCache.absentForMs(key)),

    ...createDependencyChecks({ ...parts, isFailing }),

    /** Grows with each stored value: while it is the same, nothing that was stale has become fresh. */
    stores,

    /** Removes entries, or makes them stale (`soft`), and reports them as changed. Returns how many. */
    purge(purge: Purge): number {
      const { tags = [], keys: named = [], all = false, soft = false } = purge;
      const purgedTags = new Set(tags);
      const purgedKeys = new Set(named);
      const isPurged = (key: string, of: readonly string[]) =>
        all || purgedKeys.has(key) || of.some((tag) => purgedTags.has(tag));
      const found = new Map([...entries.entries()].filter(([key, entry]) => isPurged(key, entry.tags)));
      // The tags of what is not cached are not known, so any tag may be among them.
      const mayHaveTag = (key: string) => purgedTags.size > 0 && !entries.has(key);
      const mayBePurged = (key: string) => found.has(key) || isPurged(key, []) || mayHaveTag(key);
      loads.markOutdated(mayBePurged);
      // What failed or was absent a moment ago may be there by now: that may be why it is purged.
      failureCache.forgetMatching(mayBePurged);
      for (const [key, entry] of found) {
        if (soft) {
          entry.softPurgedAt ??= clock();
        } else {
          entries.delete(key);
          loader.rememberPurged(key, entry);
        }
      }
      purged.emit(purge);
      if (found.size > 0) change.emit([...found.keys()]);
      return found.size;
    },

    stats(): Record<Resource, ResourceStats> {
      beforeStats.emit();
      return stats(policies.get);
    },

    /** Yields entries for a snapshot, most recently used first. */
    *entries(): Generator<SnapshotEntry> {
      const now = clock();
      for (const key of [...entries.keys()]) {
        const entry = entries.peek(key);
        if (entry) yield toSnapshotEntry(key, entry, now);
      }
    },

    restore,

    /** Starts no refresh any more. */
    async close(): Promise<void> {
      refreshes.close();
    },
  };
}

export type ContentCache = ReturnType<typeof createContentCache>;

function absentOrNull(error: unknown): 'absent' | null {
  return error instanceof Absent ? 'absent' : null;
}

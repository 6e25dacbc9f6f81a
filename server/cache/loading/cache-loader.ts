import { LRUCache } from 'lru-cache';
import type { AccessHistory } from '#server/cache/access-history/access-history.ts';
import { type CacheEntry, measureValue } from '#server/cache/cache-entry.ts';
import type { NewValue } from '#server/cache/cache-events.ts';
import type { CacheMode } from '#server/cache/cache-mode.ts';
import { Absent, type CacheQuery } from '#server/cache/cache-query.ts';
import type { Freshness } from '#server/cache/freshness.ts';
import type { Policies } from '#server/cache/policies.ts';
import type { ResourceStatsCounter } from '#server/cache/resource-stats.ts';
import { fromSnapshotEntry, type SnapshotEntry } from '#server/cache/snapshot/snapshot-entry.ts';
import type { Tracing } from '#server/tracing/tracing.ts';
import { createBackgroundRefresh } from './background-refresh.ts';
import { createFailureCache } from './failure-cache.ts';
import type { Loaded, SecondLevel } from './second-level.ts';
import { createSingleFlight, type Load } from './single-flight.ts';

/** TTLs vary by this share either way. */
const JITTER = 0.1;

const MAX_PURGED_DIGESTS = 5_000;

export interface CacheLoaderOptions {
  /** Where loaded entries are stored. */
  entries: LRUCache<string, CacheEntry>;
  policies: Policies;
  freshness: Freshness;
  mode: CacheMode;
  /** Null for a single instance. */
  secondLevel: SecondLevel | null;
  accessHistory: Pick<AccessHistory, 'changed'>;
  count: ResourceStatsCounter['count'];
  /** Monotonic milliseconds. */
  clock: () => number;
  /** From 0 to 1. */
  random: () => number;
  tracing: Pick<Tracing, 'child' | 'root' | 'current'>;
  /** Called with keys whose value changed or is gone. */
  onChange(keys: string[]): void;
  /** Called with a key whose value changed upstream, or is absent there now. */
  onNewValue(change: NewValue): void;
}

/**
 * Creates the loading half of the content cache: single-flight loads, the second level, background refreshes, restoring a
 * snapshot. A failed load keeps the cached entry; a key that is absent upstream loses it.
 */
export function createCacheLoader(options: CacheLoaderOptions) {
  const {
    entries,
    policies,
    freshness,
    mode,
    secondLevel,
    accessHistory,
    count,
    clock,
    random,
    tracing,
    onChange,
    onNewValue,
  } = options;
  const failureCache = createFailureCache(clock);
  const loads = createSingleFlight<CacheEntry>(clock, tracing);
  const secondLevelReads = createSingleFlight<Loaded<unknown> | null>(clock, tracing);
  const refreshes = createBackgroundRefresh();
  /** Digests of purged values, to tell after the next load whether the value changed upstream. */
  const purgedDigests = new LRUCache<string, string>({ max: MAX_PURGED_DIGESTS });
  let versions = 0;
  let stored = 0;

  /** Reports a digest other than that of the last known value. `digest`: null where the key is absent upstream. */
  function reportNewValue(key: string, cached: CacheEntry | undefined, digest: string | null): void {
    const before = cached?.digest ?? purgedDigests.get(key);
    purgedDigests.delete(key);
    if (before !== undefined && before !== digest)
      onNewValue({ key, digest, tagsBefore: cached?.tags ?? [] });
  }

  /** An unchanged value keeps its version and its object, so that pages built from it stay valid. */
  function createEntry<T>(query: CacheQuery<T>, value: T, ageMs: number, cached?: CacheEntry): CacheEntry {
    const { resource, key, tags } = query;
    const { digest, bytes } = measureValue(key, value);
    const isUnchanged = cached?.digest === digest;
    return {
      resource,
      refresh: () => refresh(query),
      value: isUnchanged ? cached.value : value,
      tags: [resource, ...tags(value)],
      digest,
      version: isUnchanged ? cached.version : ++versions,
      storedAt: clock() - ageMs,
      jitter: 1 + (random() * 2 - 1) * JITTER,
      bytes,
      softPurgedAt: null,
    };
  }

  function store<T>(query: CacheQuery<T>, value: T, ageMs: number): CacheEntry {
    const cached = entries.peek(query.key);
    const entry = createEntry(query, value, ageMs, cached);
    entries.set(query.key, entry);
    stored++;
    reportNewValue(query.key, cached, entry.digest);
    if (cached && cached.version !== entry.version) {
      accessHistory.changed(query.resource, query.key, cached.storedAt, entry.storedAt);
      onChange([query.key]);
    }
    return entry;
  }

  /** Joins the load in flight or starts one. `cold`: no cached value can be served instead. */
  function load<T>(query: CacheQuery<T>, cold: boolean): Promise<CacheEntry> {
    return loads.run(query.key, (current) => performLoad(query, cold, current));
  }

  async function performLoad<T>(query: CacheQuery<T>, cold: boolean, current: Load): Promise<CacheEntry> {
    try {
      const { value, ageMs } = await loadValue(query, cold);
      if (current.isOutdated) return createEntry(query, value, ageMs);
      const entry = store(query, value, ageMs);
      failureCache.forget(query.key);
      return entry;
    } catch (error) {
      // The purge may be about exactly this: what was absent before it may exist now.
      if (!(current.isOutdated && error instanceof Absent)) recordFailure(query, error);
      throw error;
    }
  }

  /** A reader without a cached value has looked in the second level before. */
  async function loadValue<T>(query: CacheQuery<T>, cold: boolean): Promise<Loaded<T>> {
    const { key, resource } = query;
    const { ttl, swr, sie } = policies.get(resource);
    if (secondLevel && !cold && mode.name() !== 'bypass') {
      const found = await secondLevelReads.run(key, () => secondLevel.get(key));
      const cached = entries.peek(key);
      // The same query on another instance stored it under this key.
      if (found && found.ageMs < Math.min(ttl * 1000, cached ? ageToBeat(cached) : Number.POSITIVE_INFINITY))
        return { value: found.value as T, ageMs: found.ageMs };
    }
    const stamp = secondLevel?.stamp() ?? null;
    const value = await query.load({ cold });
    secondLevel?.set(key, value, (ttl + swr + sie) * 1000, stamp);
    return { value, ageMs: 0 };
  }

  /** After a soft purge any value that another instance has loaded since is newer. */
  function ageToBeat({ softPurgedAt, storedAt }: CacheEntry): number {
    return softPurgedAt === null ? clock() - storedAt : Number.POSITIVE_INFINITY;
  }

  function recordFailure(
    { key, resource }: Pick<CacheQuery<never>, 'key' | 'resource'>,
    error: unknown,
  ): void {
    failureCache.remember(key, error);
    if (error instanceof Absent) {
      secondLevel?.delete(key);
      reportNewValue(key, entries.peek(key), null);
      if (entries.delete(key)) onChange([key]);
    } else count(resource, 'errors');
  }

  /** Queues a background refresh, unless the key is being loaded or its load has just failed. */
  function refresh<T>(query: CacheQuery<T>): void {
    const { key, resource } = query;
    if (loads.has(key) || failureCache.recentFailure(key)) return;
    const linkedTo = tracing.current();
    refreshes.add(key, async () => {
      // The cache may have been frozen while this was queued.
      if (mode.name() === 'freeze') return;
      count(resource, 'refreshes');
      // A failure is remembered by the load; the cached value stays. That the upstream has nothing is no failure.
      const result = await tracing
        .root(`cache refresh ${resource}`, linkedTo, () => load(query, false))
        .then(
          () => 'refreshSuccesses' as const,
          (error: unknown) => (error instanceof Absent ? 'refreshSuccesses' : 'refreshErrors'),
        );
      count(resource, result);
    });
  }

  /** Caches another instance's value unless it has expired. Resolves with false where there is none. */
  async function readSecondLevel<T>(query: CacheQuery<T>): Promise<boolean> {
    const { key } = query;
    if (!secondLevel) return false;
    const found = await secondLevelReads.run(key, () => secondLevel.get(key));
    const cached = entries.peek(key);
    if (cached && freshness.stateOf(cached, clock()) !== 'expired') return true;
    if (!found) return false;
    // The same query on another instance stored it under this key.
    const entry = createEntry(query, found.value as T, found.ageMs);
    if (freshness.stateOf(entry, clock()) === 'expired') return false;
    entries.set(key, entry);
    reportNewValue(key, cached, entry.digest);
    return true;
  }

  /** Restores a snapshot taken `elapsedMs` ago. Keys that are cached already keep their entry. Returns how many were restored. */
  function restore(saved: readonly SnapshotEntry[], elapsedMs: number): number {
    let restored = 0;
    for (const one of saved.toReversed()) {
      const entry = fromSnapshotEntry(one, ++versions, clock(), elapsedMs);
      if (entries.has(one.key) || freshness.stateOf(entry, clock()) === 'expired') continue;
      entries.set(one.key, entry);
      restored++;
    }
    return restored;
  }

  return {
    loads,
    failureCache,
    refreshes,
    load,
    refresh,
    /** Null without a second level: a reader of a missing key then waits for nothing before its load. */
    readSecondLevel: secondLevel && readSecondLevel,
    restore,
    /** Number of values stored since the start. */
    stores: () => stored,
    /** Called with a purged entry. */
    rememberPurged: (key: string, { digest }: CacheEntry) => void purgedDigests.set(key, digest),
  };
}

import { LRUCache } from 'lru-cache';
import type { AccessHistory } from './access-history/access-history.ts';
import { createBackgroundRefresh } from './background-refresh.ts';
import { type CacheEntry, weigh } from './cache-entry.ts';
import type { CacheMode } from './cache-mode.ts';
import { Absent, type CacheQuery } from './cache-query.ts';
import { createFailureCache } from './failure-cache.ts';
import type { Freshness } from './freshness.ts';
import type { Policies } from './policies.ts';
import type { ResourceStatsCounter } from './resource-stats.ts';
import type { Loaded, SecondLevel } from './second-level.ts';
import { createSingleFlight, type Load } from './single-flight.ts';
import { fromSnapshotEntry, type SnapshotEntry } from './snapshot/snapshot-entry.ts';

const JITTER = 0.1;

/** Purged entries whose digest is remembered. */
const PURGED = 5_000;

export interface CacheLoaderOptions {
  /** Where entries go. */
  entries: LRUCache<string, CacheEntry>;
  policies: Policies;
  freshness: Freshness;
  mode: CacheMode;
  secondLevel: SecondLevel;
  accessHistory: Pick<AccessHistory, 'changed'>;
  count: ResourceStatsCounter['count'];
  /** Monotonic milliseconds. */
  clock: () => number;
  /** From 0 to 1. */
  random: () => number;
  /** Told of keys whose value is another one, or gone. */
  onChange(keys: string[]): void;
  /** Told of a key whose value the upstream was seen to have changed or taken away. */
  onNewValue(key: string): void;
}

/**
 * How entries come about: one load per key however many wait, other instances' copies, refreshes in the background,
 * what a snapshot kept. A failure never replaces a copy; an upstream's no drops it.
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
    onChange,
    onNewValue,
  } = options;
  const failureCache = createFailureCache(clock);
  const inFlight = createSingleFlight<CacheEntry>(clock);
  const secondLevelReads = createSingleFlight<Loaded<unknown> | null>(clock);
  const refreshes = createBackgroundRefresh();
  const purgedDigests = new LRUCache<string, string>({ max: PURGED });
  let versions = 0;
  let stored = 0;

  /** `digest`: null where the upstream has nothing any more. Nothing is told where no earlier value is known. */
  function compare(key: string, known: CacheEntry | undefined, digest: string | null): void {
    const before = known?.digest ?? purgedDigests.get(key);
    purgedDigests.delete(key);
    if (before !== undefined && before !== digest) onNewValue(key);
  }

  function entryOf<T>(query: CacheQuery<T>, value: T, ageMs: number, known?: CacheEntry): CacheEntry {
    const { resource, key, tags } = query;
    const { digest, bytes } = weigh(key, value);
    const unchanged = known?.digest === digest;
    return {
      resource,
      renew: () => refresh(query),
      value: unchanged ? known.value : value,
      tags: [resource, ...tags(value)],
      digest,
      version: unchanged ? known.version : ++versions,
      storedAt: clock() - ageMs,
      jitter: 1 + (random() * 2 - 1) * JITTER,
      bytes,
      expired: null,
    };
  }

  function store<T>(query: CacheQuery<T>, value: T, ageMs: number): CacheEntry {
    const known = entries.peek(query.key);
    const entry = entryOf(query, value, ageMs, known);
    entries.set(query.key, entry);
    stored++;
    compare(query.key, known, entry.digest);
    if (known && known.version !== entry.version) {
      accessHistory.changed(query.resource, query.key, known.storedAt, entry.storedAt);
      onChange([query.key]);
    }
    return entry;
  }

  /** The load of a request: the one under way, or one that begins now. Rejects with what it rejects with. */
  function load<T>(query: CacheQuery<T>, cold: boolean): Promise<CacheEntry> {
    return inFlight.run(query.key, (current) => performLoad(query, cold, current));
  }

  async function performLoad<T>(query: CacheQuery<T>, cold: boolean, current: Load): Promise<CacheEntry> {
    try {
      const { value, ageMs } = await ask(query, cold);
      if (current.outdated) return entryOf(query, value, ageMs);
      const stored = store(query, value, ageMs);
      failureCache.forget(query.key);
      return stored;
    } catch (error) {
      // A no from before a purge may be what the purge is about.
      if (!(current.outdated && error instanceof Absent)) remember(query, error);
      throw error;
    }
  }

  /** What another instance has loaded since, or the upstream's answer, for which one instance asks. */
  function ask<T>(query: CacheQuery<T>, cold: boolean): Promise<Loaded<T>> {
    const { key, resource } = query;
    const known = entries.peek(key);
    const { ttl, swr, sie } = policies.get(resource);
    return secondLevel.load({
      key,
      tagsOf: (value: T) => [resource, ...query.tags(value)],
      load: () => query.load({ cold }),
      bypass: mode.name() === 'bypass',
      freshMs: ttl * 1000,
      keptMs: (ttl + swr + sie) * 1000,
      ageMs: known && !known.expired ? clock() - known.storedAt : null,
    });
  }

  function remember({ key, resource }: Pick<CacheQuery<never>, 'key' | 'resource'>, error: unknown): void {
    if (error instanceof Absent) {
      const known = entries.peek(key);
      failureCache.denied(key, known?.tags ?? [resource]);
      compare(key, known, null);
      if (entries.delete(key)) onChange([key]);
      return;
    }
    count(resource, 'errors');
    failureCache.failed(key, error);
  }

  /** Has a request loaded in the background, unless that is under way or has just failed. */
  function refresh<T>(query: CacheQuery<T>): void {
    const { key, resource } = query;
    if (inFlight.has(key) || failureCache.recentFailure(key)) return;
    refreshes.add(key, async () => {
      // It may have waited for its turn since before the freeze.
      if (mode.name() === 'freeze') return;
      count(resource, 'refreshes');
      // A failure is remembered by the load; the cached value stays. That the upstream has nothing is no failure.
      const result = await load(query, false).then(
        () => 'refreshSuccesses' as const,
        (error: unknown) => (error instanceof Absent ? 'refreshSuccesses' : 'refreshErrors'),
      );
      count(resource, result);
    });
  }

  /** Takes up another instance's copy, of whatever age is still of use. False where there is none. */
  async function readSecondLevel<T>(query: CacheQuery<T>): Promise<boolean> {
    const { key } = query;
    if (!secondLevel.find) return false;
    const copy = await secondLevelReads.run(key, () => secondLevel.find?.(key) ?? Promise.resolve(null));
    const known = entries.peek(key);
    if (known && freshness.stateOf(known, clock()) !== 'expired') return true;
    if (!copy) return false;
    // What is under a request's key was made by the same request elsewhere.
    const entry = entryOf(query, copy.value as T, copy.ageMs);
    if (freshness.stateOf(entry, clock()) === 'expired') return false;
    entries.set(key, entry);
    compare(key, known, entry.digest);
    return true;
  }

  /** Takes up what a snapshot kept, `elapsedMs` later, where nothing newer stands. Answers how many are of use. */
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
    inFlight,
    failureCache,
    refreshes,
    load,
    refresh,
    /** Null where nobody shares copies: a reader of a cold key then waits for nothing before its load. */
    readSecondLevel: secondLevel.find ? readSecondLevel : null,
    restore,
    /** How many values were stored since the start. */
    stores: () => stored,
    /** Told of an entry that a purge takes out: the next load tells whether its value is another one. */
    purged: (key: string, { digest }: CacheEntry) => void purgedDigests.set(key, digest),
  };
}

export type CacheLoader = ReturnType<typeof createCacheLoader>;

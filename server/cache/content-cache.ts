import { LRUCache } from 'lru-cache';
import type { AccessHistory } from './access-history/access-history.ts';
import type { CacheEntry } from './cache-entry.ts';
import { createCacheEvents } from './cache-events.ts';
import { createCacheLoader } from './cache-loader.ts';
import { type CacheMode, createCacheMode, Frozen } from './cache-mode.ts';
import { Absent, type CacheQuery } from './cache-query.ts';
import { createDependencyChecks } from './dependency-check.ts';
import type { DependencyTracker, ReadState } from './dependency-tracker.ts';
import { type ExplainedEntry, explainEntry } from './explain-entry.ts';
import { createFreshness } from './freshness.ts';
import { createPolicies, type Policies } from './policies.ts';
import type { Purge } from './purge.ts';
import { createResourceStats, type ResourceStats } from './resource-stats.ts';
import type { Policy, Resource } from './resources.ts';
import { NO_SECOND_LEVEL, type SecondLevel } from './second-level.ts';
import { within } from './single-flight.ts';
import { type SnapshotEntry, toSnapshotEntry } from './snapshot/snapshot-entry.ts';

export interface ContentCacheOptions {
  policies: Readonly<Record<Resource, Policy>>;
  maxBytes: number;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** From 0 to 1: spreads the ages of entries that were stored together. */
  random?: () => number;
  /** Normal for good where it is not given. */
  mode?: CacheMode;
  /** Where several instances share what they load; nowhere where it is not given. */
  secondLevel?: SecondLevel;
  /** Told of reads and of observed changes; nobody where it is not given. */
  accessHistory?: Pick<AccessHistory, 'read' | 'changed'>;
}

/** Past `swr` a load may take this long before the old copy stands in for it. */
export const STALE_WAIT_MS = 250;
const NOBODY: NonNullable<ContentCacheOptions['accessHistory']> = {
  read: () => undefined,
  changed: () => undefined,
};

/**
 * Keeps our own model under a key, with three ages, one load per key however many wait, and tags. Past `ttl` a copy
 * is served while one refresh runs; past `swr` readers wait for the refresh a moment, and get the copy for `sie` more
 * seconds if it is slow or fails. A failure never replaces a copy.
 */
export function createContentCache({
  policies: configured,
  maxBytes,
  clock,
  random = Math.random,
  mode = createCacheMode(clock),
  secondLevel = NO_SECOND_LEVEL,
  accessHistory = NOBODY,
}: ContentCacheOptions) {
  const policies: Policies = createPolicies(configured);
  const freshness = createFreshness(policies, mode);
  const { freshUntil, stateOf } = freshness;
  const entries = new LRUCache<string, CacheEntry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });
  const { count, stats } = createResourceStats();
  const { events, changed, newValue, reviewed, looked, purged } = createCacheEvents();
  const loader = createCacheLoader({
    entries,
    policies,
    freshness,
    mode,
    secondLevel,
    accessHistory,
    count,
    clock,
    random,
    onChange: changed,
    onNewValue: newValue,
  });
  const { inFlight, failureCache, refreshes, load, refresh, readSecondLevel, restore, stores } = loader;
  policies.onChange(reviewed);
  mode.onChange(reviewed);

  /** `found`: the copy that stood when the reader came. */
  function serve<T>(
    entry: CacheEntry,
    { key, resource }: CacheQuery<T>,
    tracker: DependencyTracker,
    state: ReadState,
    found: CacheEntry | null = entry,
  ): T {
    accessHistory.read(resource, key, 1, found?.storedAt ?? null);
    tracker.record({ resource, key, version: entry.version }, state, freshUntil(entry));
    // Only a load writes an entry, and it does so with this request's own type.
    return entry.value as T;
  }

  /** Who has waited for a load that a purge outdated begins anew: ages and mode may be others by now. */
  async function read<T>(query: CacheQuery<T>, tracker: DependencyTracker): Promise<T> {
    const entry = entries.get(query.key);
    // An entry from a snapshot learns from its first reader how it is asked for.
    if (entry) entry.renew ??= () => refresh(query);
    const how = mode.name();
    if (how === 'freeze') return frozen(entry, query, tracker);
    if (how === 'bypass') return asking(entry, query, tracker);
    const state = entry ? stateOf(entry, clock()) : 'expired';
    if (!entry || state === 'expired') {
      return readSecondLevel && (await readSecondLevel(query)) ? read(query, tracker) : cold(query, tracker);
    }
    if (state === 'stale-if-error') return waitForRefresh(entry, query, tracker);
    if (state === 'stale') refresh(query);
    return serveCopy(entry, query, tracker);
  }

  async function cold<T>(query: CacheQuery<T>, tracker: DependencyTracker): Promise<T> {
    if (failureCache.isDenied(query.key)) throw new Absent();
    const failure = failureCache.recentFailure(query.key);
    if (failure) throw failure.error;
    tracker.waits('miss');
    const outdated = inFlight.outdated(query.key);
    if (outdated) {
      await outdated;
      return read(query, tracker);
    }
    count(query.resource, inFlight.has(query.key) ? 'coalesced' : 'misses');
    return serve(await load(query, true), query, tracker, 'miss', null);
  }

  async function waitForRefresh<T>(
    entry: CacheEntry,
    query: CacheQuery<T>,
    tracker: DependencyTracker,
  ): Promise<T> {
    const { key, resource } = query;
    if (isFailing(key)) {
      refresh(query);
      return serveCopy(entry, query, tracker);
    }
    tracker.waits('stale');
    const how = inFlight.has(key) ? 'coalesced' : 'misses';
    const loaded = await within(staleWait(key), load(query, false).catch(absentOrNothing));
    if (loaded === 'absent') throw new Absent();
    if (!loaded) return serveCopy(entry, query, tracker);
    count(resource, how);
    return serve(loaded, query, tracker, 'miss', entry);
  }

  /** Whatever is there, of any age; nothing is asked for. */
  function frozen<T>(entry: CacheEntry | undefined, query: CacheQuery<T>, tracker: DependencyTracker): T {
    const { key, resource } = query;
    if (!entry) throw failureCache.isDenied(key) ? new Absent() : new Frozen(resource);
    return serveCopy(entry, query, tracker);
  }

  /** Serves a copy for what it is: fresh or stale. */
  function serveCopy<T>(entry: CacheEntry, query: CacheQuery<T>, tracker: DependencyTracker): T {
    const fresh = stateOf(entry, clock()) === 'fresh';
    count(query.resource, fresh ? 'hits' : 'staleHits');
    return serve(entry, query, tracker, fresh ? 'hit' : 'stale');
  }

  /** Asks the upstream whatever is cached. Only a load that fails, or has just failed, is stood in for by the copy. */
  async function asking<T>(
    entry: CacheEntry | undefined,
    query: CacheQuery<T>,
    tracker: DependencyTracker,
  ): Promise<T> {
    const { key, resource } = query;
    const outdated = inFlight.outdated(key);
    const failure = failureCache.recentFailure(key);
    if (outdated || !failure) tracker.waits('miss');
    if (outdated) {
      await outdated;
      return read(query, tracker);
    }
    const how = inFlight.has(key) ? 'coalesced' : 'misses';
    try {
      if (failure) throw failure.error;
      const loaded = await load(query, !entry);
      count(resource, how);
      return serve(loaded, query, tracker, 'miss', entry ?? null);
    } catch (error) {
      if (!(error instanceof Absent) && entry && stateOf(entry, clock()) !== 'expired')
        return serveCopy(entry, query, tracker);
      if (!failure) count(resource, how);
      throw error;
    }
  }

  /** Its load failed lately or hangs: nobody with an old copy waits for it, and it is asked for in the background. */
  function isFailing(key: string): boolean {
    return failureCache.failedLately(key) || staleWait(key) <= 0;
  }

  /** How much longer a reader waits for a key's load, in milliseconds. */
  function staleWait(key: string): number {
    return STALE_WAIT_MS - inFlight.duration(key);
  }

  function explain(key: string, resource: string): ExplainedEntry {
    const now = clock();
    const entry = entries.peek(key);
    return explainEntry({
      key,
      resource,
      copy: entry ? { entry, state: stateOf(entry, now), freshUntil: freshUntil(entry) } : null,
      denied: failureCache.isDenied(key),
      loading: inFlight.has(key),
      failure: failureCache.lastFailure(key),
      now,
    });
  }

  return {
    ...events,
    policies,
    mode,

    /** What is known of the answer under a key. Nothing is loaded, and no reader is counted. */
    explain,

    /** Keys without a copy whose last load failed, the latest first, at most `most`. */
    failing(most: number): ExplainedEntry[] {
      const keys = [...failureCache.failedKeys()].filter((key) => !entries.has(key)).slice(0, most);
      return keys.map((key) => explain(key, key.split('/', 1)[0] ?? key));
    },

    /** Background refreshes under way and waiting for their turn. */
    refreshes: () => ({ running: refreshes.running, waiting: refreshes.waiting }),

    /**
     * Answers from memory where the ages allow, else loads. Rejects with `Absent`, which the reading records, or with what
     * `load` rejected with.
     */
    async read<T>(query: CacheQuery<T>, tracker: DependencyTracker): Promise<T> {
      try {
        return await read(query, tracker);
      } catch (error) {
        if (error instanceof Absent) tracker.deny(query.key);
        throw error;
      }
    },

    /** How much longer the upstream's no to a key is believed, in milliseconds; 0 where it is asked. */
    deniedFor: (key: string): number => (mode.name() === 'bypass' ? 0 : failureCache.deniedFor(key)),

    ...createDependencyChecks({ entries, freshness, mode, count, accessHistory, isFailing, clock }),

    /** Grows with each value that a load brings: what was found stale may be fresh since. */
    stores,

    /** Takes entries out, or makes them stale (`soft`). Answers how many. Pages made of them are told. */
    purge(purge: Purge): number {
      const { tags = [], keys: named = [], all = false, soft = false } = purge;
      const wanted = new Set(tags);
      const chosen = new Set(named);
      const keys = [...entries.entries()]
        .filter(([key, entry]) => all || chosen.has(key) || entry.tags.some((tag) => wanted.has(tag)))
        .map(([key]) => key);
      const gone = new Set(keys);
      // What a first load will be tagged with is not known yet, so it may be meant.
      const maybeTagged = (key: string) => wanted.size > 0 && !entries.has(key);
      inFlight.markOutdated((key) => all || gone.has(key) || chosen.has(key) || maybeTagged(key));
      for (const key of keys) {
        const entry = entries.peek(key);
        if (!entry) continue;
        if (soft) {
          entry.expired ??= clock();
        } else {
          entries.delete(key);
          loader.purged(key, entry);
        }
      }
      failureCache.forgetDenials((key, of) => all || chosen.has(key) || of.some((tag) => wanted.has(tag)));
      purged(purge);
      changed(keys);
      return keys.length;
    },

    stats(): Record<Resource, ResourceStats> {
      looked();
      return stats(entries.values(), policies.get);
    },

    /** What a snapshot keeps, most recently used first. */
    *entries(): Generator<SnapshotEntry> {
      const now = clock();
      for (const key of [...entries.keys()]) {
        const entry = entries.peek(key);
        if (entry) yield toSnapshotEntry(key, entry, now);
      }
    },

    restore,

    async close(): Promise<void> {
      refreshes.close();
    },
  };
}

export type ContentCache = ReturnType<typeof createContentCache>;

/** A no is an answer; any other failure leaves the old copy as it is. */
function absentOrNothing(error: unknown): 'absent' | null {
  return error instanceof Absent ? 'absent' : null;
}

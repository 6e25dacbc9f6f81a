import { LRUCache } from 'lru-cache';
import type { TrafficRecord } from './access-history/access-history.ts';
import type { Entry } from './cache-entry.ts';
import { createCacheEvents } from './cache-events.ts';
import { createLoading } from './cache-loader.ts';
import { type CacheMode, createCacheMode, Frozen } from './cache-mode.ts';
import { Absent, type CacheRequest } from './cache-query.ts';
import { createDependencyChecks } from './dependency-check.ts';
import type { Reading, ReadState } from './dependency-tracker.ts';
import { type ExplainedAnswer, explainAnswer } from './explain-entry.ts';
import { createAges } from './freshness.ts';
import { createPolicyTable, type PolicyTable } from './policies.ts';
import type { Purge } from './purge.ts';
import { createResourceCounts, type ResourceStats } from './resource-stats.ts';
import type { Policy, Resource } from './resources.ts';
import { NOT_SHARED, type SharedLoads } from './second-level.ts';
import { within } from './single-flight.ts';
import { type SavedEntry, savedEntry } from './snapshot/snapshot-entry.ts';

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
  shared?: SharedLoads;
  /** Told of reads and of observed changes; nobody where it is not given. */
  traffic?: Pick<TrafficRecord, 'read' | 'changed'>;
}

/** Past `swr` a load may take this long before the old copy stands in for it. */
export const PATIENCE_MS = 250;
const NOBODY: NonNullable<ContentCacheOptions['traffic']> = {
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
  shared = NOT_SHARED,
  traffic = NOBODY,
}: ContentCacheOptions) {
  const policies: PolicyTable = createPolicyTable(configured);
  const ages = createAges(policies, mode);
  const { freshUntil, ageOf } = ages;
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  const { count, stats } = createResourceCounts();
  const { events, changed, newValue, reviewed, looked, purged } = createCacheEvents();
  const loading = createLoading({
    entries,
    policies,
    ages,
    mode,
    shared,
    traffic,
    count,
    clock,
    random,
    onChange: changed,
    onNewValue: newValue,
  });
  const { flights, troubles, refreshes, load, refresh, adopt, restore, stores } = loading;
  policies.onChange(reviewed);
  mode.onChange(reviewed);

  /** `found`: the copy that stood when the reader came. */
  function serve<T>(
    entry: Entry,
    { key, resource }: CacheRequest<T>,
    reading: Reading,
    state: ReadState,
    found: Entry | null = entry,
  ): T {
    traffic.read(resource, key, 1, found?.storedAt ?? null);
    reading.record({ resource, key, version: entry.version }, state, freshUntil(entry));
    // Only a load writes an entry, and it does so with this request's own type.
    return entry.value as T;
  }

  /** Who has waited for a load that a purge outdated begins anew: ages and mode may be others by now. */
  async function read<T>(request: CacheRequest<T>, reading: Reading): Promise<T> {
    const entry = entries.get(request.key);
    // An entry from a snapshot learns from its first reader how it is asked for.
    if (entry) entry.renew ??= () => refresh(request);
    const how = mode.name();
    if (how === 'freeze') return frozen(entry, request, reading);
    if (how === 'bypass') return asking(entry, request, reading);
    const age = entry ? ageOf(entry, clock()) : 'dead';
    if (!entry || age === 'dead') {
      return adopt && (await adopt(request)) ? read(request, reading) : cold(request, reading);
    }
    if (age === 'erring') return patient(entry, request, reading);
    if (age === 'stale') refresh(request);
    return serveCopy(entry, request, reading);
  }

  async function cold<T>(request: CacheRequest<T>, reading: Reading): Promise<T> {
    if (troubles.isDenied(request.key)) throw new Absent();
    const failure = troubles.recentFailure(request.key);
    if (failure) throw failure.error;
    reading.waits('miss');
    const outdated = flights.outdated(request.key);
    if (outdated) {
      await outdated;
      return read(request, reading);
    }
    count(request.resource, flights.has(request.key) ? 'coalesced' : 'misses');
    return serve(await load(request, true), request, reading, 'miss', null);
  }

  async function patient<T>(entry: Entry, request: CacheRequest<T>, reading: Reading): Promise<T> {
    const { key, resource } = request;
    if (isInTrouble(key)) {
      refresh(request);
      return serveCopy(entry, request, reading);
    }
    reading.waits('stale');
    const how = flights.has(key) ? 'coalesced' : 'misses';
    const loaded = await within(patience(key), load(request, false).catch(absentOrNothing));
    if (loaded === 'absent') throw new Absent();
    if (!loaded) return serveCopy(entry, request, reading);
    count(resource, how);
    return serve(loaded, request, reading, 'miss', entry);
  }

  /** Whatever is there, of any age; nothing is asked for. */
  function frozen<T>(entry: Entry | undefined, request: CacheRequest<T>, reading: Reading): T {
    const { key, resource } = request;
    if (!entry) throw troubles.isDenied(key) ? new Absent() : new Frozen(resource);
    return serveCopy(entry, request, reading);
  }

  /** Serves a copy for what it is: fresh or stale. */
  function serveCopy<T>(entry: Entry, request: CacheRequest<T>, reading: Reading): T {
    const fresh = ageOf(entry, clock()) === 'fresh';
    count(request.resource, fresh ? 'hits' : 'staleHits');
    return serve(entry, request, reading, fresh ? 'hit' : 'stale');
  }

  /** Asks the upstream whatever is cached. Only a load that fails, or has just failed, is stood in for by the copy. */
  async function asking<T>(entry: Entry | undefined, request: CacheRequest<T>, reading: Reading): Promise<T> {
    const { key, resource } = request;
    const outdated = flights.outdated(key);
    const failure = troubles.recentFailure(key);
    if (outdated || !failure) reading.waits('miss');
    if (outdated) {
      await outdated;
      return read(request, reading);
    }
    const how = flights.has(key) ? 'coalesced' : 'misses';
    try {
      if (failure) throw failure.error;
      const loaded = await load(request, !entry);
      count(resource, how);
      return serve(loaded, request, reading, 'miss', entry ?? null);
    } catch (error) {
      if (!(error instanceof Absent) && entry && ageOf(entry, clock()) !== 'dead')
        return serveCopy(entry, request, reading);
      if (!failure) count(resource, how);
      throw error;
    }
  }

  /** Its load failed lately or hangs: nobody with an old copy waits for it, and it is asked for in the background. */
  function isInTrouble(key: string): boolean {
    return troubles.failedLately(key) || patience(key) <= 0;
  }

  /** How much longer a reader waits for a key's load, in milliseconds. */
  function patience(key: string): number {
    return PATIENCE_MS - flights.duration(key);
  }

  function explain(key: string, resource: string): ExplainedAnswer {
    const now = clock();
    const entry = entries.peek(key);
    return explainAnswer({
      key,
      resource,
      copy: entry ? { entry, age: ageOf(entry, now), freshUntil: freshUntil(entry) } : null,
      denied: troubles.isDenied(key),
      loading: flights.has(key),
      failure: troubles.lastFailure(key),
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
    failing(most: number): ExplainedAnswer[] {
      const keys = [...troubles.failedKeys()].filter((key) => !entries.has(key)).slice(0, most);
      return keys.map((key) => explain(key, key.split('/', 1)[0] ?? key));
    },

    /** Background refreshes under way and waiting for their turn. */
    refreshes: () => ({ running: refreshes.running, waiting: refreshes.waiting }),

    /**
     * Answers from memory where the ages allow, else loads. Rejects with `Absent`, which the reading records, or with what
     * `load` rejected with.
     */
    async read<T>(request: CacheRequest<T>, reading: Reading): Promise<T> {
      try {
        return await read(request, reading);
      } catch (error) {
        if (error instanceof Absent) reading.deny(request.key);
        throw error;
      }
    },

    /** How much longer the upstream's no to a key is believed, in milliseconds; 0 where it is asked. */
    deniedFor: (key: string): number => (mode.name() === 'bypass' ? 0 : troubles.deniedFor(key)),

    ...createDependencyChecks({ entries, ages, mode, count, traffic, isInTrouble, clock }),

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
      flights.markOutdated((key) => all || gone.has(key) || chosen.has(key) || maybeTagged(key));
      for (const key of keys) {
        const entry = entries.peek(key);
        if (!entry) continue;
        if (soft) {
          entry.expired ??= clock();
        } else {
          entries.delete(key);
          loading.purged(key, entry);
        }
      }
      troubles.forgetDenials((key, of) => all || chosen.has(key) || of.some((tag) => wanted.has(tag)));
      purged(purge);
      changed(keys);
      return keys.length;
    },

    stats(): Record<Resource, ResourceStats> {
      looked();
      return stats(entries.values(), policies.get);
    },

    /** What a snapshot keeps, most recently used first. */
    *entries(): Generator<SavedEntry> {
      const now = clock();
      for (const key of [...entries.keys()]) {
        const entry = entries.peek(key);
        if (entry) yield savedEntry(key, entry, now);
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

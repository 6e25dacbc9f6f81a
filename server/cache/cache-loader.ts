import { LRUCache } from 'lru-cache';
import type { TrafficRecord } from './access-history/access-history.ts';
import { createRefreshQueue } from './background-refresh.ts';
import { type Entry, weigh } from './cache-entry.ts';
import type { CacheMode } from './cache-mode.ts';
import { Absent, type CacheRequest } from './cache-query.ts';
import { createLoadTroubles } from './failure-cache.ts';
import type { Ages } from './freshness.ts';
import type { PolicyTable } from './policies.ts';
import type { ResourceCounts } from './resource-stats.ts';
import type { Loaded, SharedLoads } from './second-level.ts';
import { createFlights, type Flight } from './single-flight.ts';
import { restoredEntry, type SavedEntry } from './snapshot/snapshot-entry.ts';

const JITTER = 0.1;

/** Purged entries whose digest is remembered. */
const PURGED = 5_000;

export interface LoadingOptions {
  /** Where entries go. */
  entries: LRUCache<string, Entry>;
  policies: PolicyTable;
  ages: Ages;
  mode: CacheMode;
  shared: SharedLoads;
  traffic: Pick<TrafficRecord, 'changed'>;
  count: ResourceCounts['count'];
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
export function createLoading(options: LoadingOptions) {
  const { entries, policies, ages, mode, shared, traffic, count, clock, random, onChange, onNewValue } =
    options;
  const troubles = createLoadTroubles(clock);
  const flights = createFlights<Entry>(clock);
  const adoptions = createFlights<Loaded<unknown> | null>(clock);
  const refreshes = createRefreshQueue();
  const purgedDigests = new LRUCache<string, string>({ max: PURGED });
  let versions = 0;
  let stored = 0;

  /** `digest`: null where the upstream has nothing any more. Nothing is told where no earlier value is known. */
  function compare(key: string, known: Entry | undefined, digest: string | null): void {
    const before = known?.digest ?? purgedDigests.get(key);
    purgedDigests.delete(key);
    if (before !== undefined && before !== digest) onNewValue(key);
  }

  function entryOf<T>(request: CacheRequest<T>, value: T, ageMs: number, known?: Entry): Entry {
    const { resource, key, tags } = request;
    const { digest, bytes } = weigh(key, value);
    const unchanged = known?.digest === digest;
    return {
      resource,
      renew: () => refresh(request),
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

  function store<T>(request: CacheRequest<T>, value: T, ageMs: number): Entry {
    const known = entries.peek(request.key);
    const entry = entryOf(request, value, ageMs, known);
    entries.set(request.key, entry);
    stored++;
    compare(request.key, known, entry.digest);
    if (known && known.version !== entry.version) {
      traffic.changed(request.resource, request.key, known.storedAt, entry.storedAt);
      onChange([request.key]);
    }
    return entry;
  }

  /** The load of a request: the one under way, or one that begins now. Rejects with what it rejects with. */
  function load<T>(request: CacheRequest<T>, cold: boolean): Promise<Entry> {
    return flights.fly(request.key, (flight) => land(request, cold, flight));
  }

  async function land<T>(request: CacheRequest<T>, cold: boolean, flight: Flight): Promise<Entry> {
    try {
      const { value, ageMs } = await ask(request, cold);
      if (flight.outdated) return entryOf(request, value, ageMs);
      const stored = store(request, value, ageMs);
      troubles.forget(request.key);
      return stored;
    } catch (error) {
      // A no from before a purge may be what the purge is about.
      if (!(flight.outdated && error instanceof Absent)) remember(request, error);
      throw error;
    }
  }

  /** What another instance has loaded since, or the upstream's answer, for which one instance asks. */
  function ask<T>(request: CacheRequest<T>, cold: boolean): Promise<Loaded<T>> {
    const { key, resource } = request;
    const known = entries.peek(key);
    const { ttl, swr, sie } = policies.get(resource);
    return shared.load({
      key,
      tagsOf: (value: T) => [resource, ...request.tags(value)],
      load: () => request.load({ cold }),
      bypass: mode.name() === 'bypass',
      freshMs: ttl * 1000,
      keptMs: (ttl + swr + sie) * 1000,
      ageMs: known && !known.expired ? clock() - known.storedAt : null,
    });
  }

  function remember({ key, resource }: Pick<CacheRequest<never>, 'key' | 'resource'>, error: unknown): void {
    if (error instanceof Absent) {
      const known = entries.peek(key);
      troubles.denied(key, known?.tags ?? [resource]);
      compare(key, known, null);
      if (entries.delete(key)) onChange([key]);
      return;
    }
    count(resource, 'errors');
    troubles.failed(key, error);
  }

  /** Has a request loaded in the background, unless that is under way or has just failed. */
  function refresh<T>(request: CacheRequest<T>): void {
    const { key, resource } = request;
    if (flights.has(key) || troubles.recentFailure(key)) return;
    refreshes.add(key, async () => {
      // It may have waited for its turn since before the freeze.
      if (mode.name() === 'freeze') return;
      count(resource, 'refreshes');
      // The failure is remembered and counted; the copy that stands is the answer.
      await load(request, false).catch(() => undefined);
    });
  }

  /** Takes up another instance's copy, of whatever age is still of use. False where there is none. */
  async function adopt<T>(request: CacheRequest<T>): Promise<boolean> {
    const { key } = request;
    if (!shared.find) return false;
    const copy = await adoptions.fly(key, () => shared.find?.(key) ?? Promise.resolve(null));
    const known = entries.peek(key);
    if (known && ages.ageOf(known, clock()) !== 'dead') return true;
    if (!copy) return false;
    // What is under a request's key was made by the same request elsewhere.
    const entry = entryOf(request, copy.value as T, copy.ageMs);
    if (ages.ageOf(entry, clock()) === 'dead') return false;
    entries.set(key, entry);
    compare(key, known, entry.digest);
    return true;
  }

  /** Takes up what a snapshot kept, `elapsedMs` later, where nothing newer stands. Answers how many are of use. */
  function restore(saved: readonly SavedEntry[], elapsedMs: number): number {
    let restored = 0;
    for (const one of saved.toReversed()) {
      const entry = restoredEntry(one, ++versions, clock(), elapsedMs);
      if (entries.has(one.key) || ages.ageOf(entry, clock()) === 'dead') continue;
      entries.set(one.key, entry);
      restored++;
    }
    return restored;
  }

  return {
    flights,
    troubles,
    refreshes,
    load,
    refresh,
    /** Null where nobody shares copies: a reader of a cold key then waits for nothing before its load. */
    adopt: shared.find ? adopt : null,
    restore,
    /** How many values were stored since the start. */
    stores: () => stored,
    /** Told of an entry that a purge takes out: the next load tells whether its value is another one. */
    purged: (key: string, { digest }: Entry) => void purgedDigests.set(key, digest),
  };
}

export type Loading = ReturnType<typeof createLoading>;

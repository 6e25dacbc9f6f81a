import { LRUCache } from 'lru-cache';
import { createAges } from './ages.ts';
import { type Entry, weigh } from './entry.ts';
import { type ExplainedAnswer, explainAnswer } from './explain-answer.ts';
import { createFlights, type Flight, within } from './flights.ts';
import { createLoadTroubles } from './load-troubles.ts';
import { type CacheMode, createCacheMode, Frozen } from './mode.ts';
import { createPolicyTable, type PolicyTable } from './policy-table.ts';
import type { Dependency, Reading, ReadState } from './reading.ts';
import { createRefreshQueue } from './refresh-queue.ts';
import { createResourceCounts, type ResourceStats } from './resource-counts.ts';
import type { Policy, Resource } from './resources.ts';
import { restoredEntry, type SavedEntry, savedEntry } from './saved-entry.ts';
import { type Loaded, NOT_SHARED, type SharedLoads } from './shared-loads.ts';
import type { TrafficRecord } from './traffic-record.ts';

/** The upstream's word that something does not exist. It drops an old copy; any other failure keeps it. */
export class Absent extends Error {
  constructor() {
    super('The upstream says that this does not exist.');
    this.name = 'Absent';
  }
}

/** One answer that can be read through the cache. */
export interface CacheRequest<T> {
  resource: Resource;
  key: string;
  /** What it can be purged by, besides its resource's name. */
  tags: (value: T) => string[];
  /** Asks the upstream. `cold`: a reader waits for it and no copy can stand in. */
  load: (context: { cold: boolean }) => Promise<T>;
}

/** What a purge takes. `soft`: the old copy is served once more, while it is refreshed. */
export interface Purge {
  tags?: string[];
  keys?: string[];
  all?: boolean;
  soft?: boolean;
}

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
const JITTER = 0.1;
const CHANGED = { unchanged: false, freshForMs: 0 };
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
  const { freshUntil, ageOf } = createAges(policies, mode);
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  const troubles = createLoadTroubles(clock);
  const { count, stats } = createResourceCounts();
  const flights = createFlights<Entry>(clock);
  const adoptions = createFlights<Loaded<unknown> | null>(clock);
  const listeners: ((keys: string[]) => void)[] = [];
  const reviewers: (() => void)[] = [];
  const lookers: (() => void)[] = [];
  const purgers: ((purge: Purge) => void)[] = [];
  const refreshes = createRefreshQueue();
  let versions = 0;

  const review = () => {
    for (const reviewer of reviewers) reviewer();
  };
  policies.onChange(review);
  mode.onChange(review);

  function announce(keys: string[]): void {
    if (keys.length > 0) for (const listener of listeners) listener(keys);
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
    if (known && known.version !== entry.version) {
      traffic.changed(request.resource, request.key, known.storedAt, entry.storedAt);
      announce([request.key]);
    }
    return entry;
  }

  function fly<T>(request: CacheRequest<T>, cold: boolean): Promise<Entry> {
    return flights.fly(request.key, (flight) => land(request, cold, flight));
  }

  async function land<T>(request: CacheRequest<T>, cold: boolean, flight: Flight): Promise<Entry> {
    try {
      const { value, ageMs } = await load(request, cold);
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
  function load<T>(request: CacheRequest<T>, cold: boolean): Promise<Loaded<T>> {
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
      troubles.denied(key, entries.peek(key)?.tags ?? [resource]);
      if (entries.delete(key)) announce([key]);
      return;
    }
    count(resource, 'errors');
    troubles.failed(key, error);
  }

  function refresh<T>(request: CacheRequest<T>): void {
    const { key, resource } = request;
    if (flights.has(key) || troubles.recentFailure(key)) return;
    refreshes.add(key, async () => {
      // It may have waited for its turn since before the freeze.
      if (mode.name() === 'freeze') return;
      count(resource, 'refreshes');
      // The failure is remembered and counted; the copy that stands is the answer.
      await fly(request, false).catch(() => undefined);
    });
  }

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
    // Only `store` writes an entry, and it does so with this request's own type.
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
      return shared.find && (await adopt(request)) ? read(request, reading) : cold(request, reading);
    }
    if (age === 'erring') return patient(entry, request, reading);
    if (age === 'stale') {
      count(request.resource, 'staleHits');
      refresh(request);
      return serve(entry, request, reading, 'stale');
    }
    count(request.resource, 'hits');
    return serve(entry, request, reading, 'hit');
  }

  /** Takes up another instance's copy, of whatever age is still of use. False where there is none. */
  async function adopt<T>(request: CacheRequest<T>): Promise<boolean> {
    const { key } = request;
    if (!shared.find) return false;
    const copy = await adoptions.fly(key, () => shared.find?.(key) ?? Promise.resolve(null));
    const known = entries.peek(key);
    if (known && ageOf(known, clock()) !== 'dead') return true;
    if (!copy) return false;
    // What is under a request's key was made by the same request elsewhere.
    const entry = entryOf(request, copy.value as T, copy.ageMs);
    if (ageOf(entry, clock()) === 'dead') return false;
    entries.set(key, entry);
    return true;
  }

  async function cold<T>(request: CacheRequest<T>, reading: Reading): Promise<T> {
    if (troubles.isDenied(request.key)) throw new Absent();
    const failure = troubles.recentFailure(request.key);
    if (failure) throw failure.error;
    const outdated = flights.outdated(request.key);
    if (outdated) {
      await outdated;
      return read(request, reading);
    }
    count(request.resource, flights.has(request.key) ? 'coalesced' : 'misses');
    return serve(await fly(request, true), request, reading, 'miss', null);
  }

  async function patient<T>(entry: Entry, request: CacheRequest<T>, reading: Reading): Promise<T> {
    const { key, resource } = request;
    if (isInTrouble(key)) {
      count(resource, 'staleHits');
      refresh(request);
      return serve(entry, request, reading, 'stale');
    }
    const how = flights.has(key) ? 'coalesced' : 'misses';
    const loaded = await within(patience(key), fly(request, false).catch(absentOrNothing));
    if (loaded === 'absent') throw new Absent();
    count(resource, loaded ? how : 'staleHits');
    if (loaded) return serve(loaded, request, reading, 'miss', entry);
    return serve(entry, request, reading, 'stale');
  }

  /** Whatever is there, of any age; nothing is asked for. */
  function frozen<T>(entry: Entry | undefined, request: CacheRequest<T>, reading: Reading): T {
    const { key, resource } = request;
    if (!entry) throw troubles.isDenied(key) ? new Absent() : new Frozen(resource);
    const fresh = ageOf(entry, clock()) === 'fresh';
    count(resource, fresh ? 'hits' : 'staleHits');
    return serve(entry, request, reading, fresh ? 'hit' : 'stale');
  }

  /** Asks the upstream whatever is cached. Only a load that fails, or has just failed, is stood in for by the copy. */
  async function asking<T>(entry: Entry | undefined, request: CacheRequest<T>, reading: Reading): Promise<T> {
    const { key, resource } = request;
    const outdated = flights.outdated(key);
    if (outdated) {
      await outdated;
      return read(request, reading);
    }
    const failure = troubles.recentFailure(key);
    count(resource, flights.has(key) ? 'coalesced' : 'misses');
    try {
      if (failure) throw failure.error;
      return serve(await fly(request, !entry), request, reading, 'miss', entry ?? null);
    } catch (error) {
      if (error instanceof Absent || !entry || ageOf(entry, clock()) === 'dead') throw error;
      return serve(entry, request, reading, 'stale');
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

  /** True where a page may be sent with this entry in it. Starts the refresh that a stale one is due. */
  function stands(entry: Entry, key: string, now: number): boolean {
    const age = ageOf(entry, now);
    if (age === 'fresh' || mode.name() === 'freeze') return true;
    if (age === 'stale' || (age === 'erring' && isInTrouble(key))) {
      entry.renew?.();
      return true;
    }
    return false;
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

    /** Called when ages mean something else than before: pages have to look at their data again. */
    onReview(reviewer: () => void): void {
      reviewers.push(reviewer);
    },

    /** Answers from memory where the ages allow, else loads. Rejects with `Absent`, or with what `load` rejected with. */
    read,

    /**
     * Whether a page's data is still what it was made of, and how long it stays fresh (negative: stale since). A
     * page counts as a reader: what it finds stale is refreshed; what a reader would wait for, it does not stand on.
     */
    check(dependencies: readonly Dependency[]): { unchanged: boolean; freshForMs: number } {
      const now = clock();
      if (mode.name() === 'bypass') return CHANGED;
      let until = Number.POSITIVE_INFINITY;
      for (const { key, version } of dependencies) {
        const entry = entries.get(key);
        if (entry?.version !== version || !stands(entry, key, now)) return CHANGED;
        until = Math.min(until, freshUntil(entry));
      }
      return { unchanged: true, freshForMs: until - now };
    },

    /** How long a page's data stays fresh (negative: stale since; null: it is other data now). Nobody is counted. */
    freshFor(dependencies: readonly Dependency[]): number | null {
      let until = Number.POSITIVE_INFINITY;
      for (const { key, version } of dependencies) {
        const entry = entries.peek(key);
        if (entry?.version !== version) return null;
        until = Math.min(until, freshUntil(entry));
      }
      return until - clock();
    },

    /** Counts readers of a page that stood at `at`: each of them read every answer that the page is made of. */
    credit(dependencies: readonly Dependency[], readers: number, at: number): void {
      for (const { key, resource } of dependencies) {
        const entry = entries.peek(key);
        if (!entry) continue;
        count(resource, ageOf(entry, at) === 'fresh' ? 'hits' : 'staleHits', readers);
        traffic.read(resource, key, readers, entry.storedAt, at);
      }
    },

    /** Called before somebody looks at the counts: what is still to be credited is, then. */
    onLook(listener: () => void): void {
      lookers.push(listener);
    },

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
        if (soft && entry) entry.expired ??= clock();
        else entries.delete(key);
      }
      troubles.forgetDenials((key, of) => all || chosen.has(key) || of.some((tag) => wanted.has(tag)));
      for (const purger of purgers) purger(purge);
      announce(keys);
      return keys.length;
    },

    /** Called after each purge: what is being made of data that was read before must not be shared any more. */
    onPurge(listener: (purge: Purge) => void): void {
      purgers.push(listener);
    },

    /** Called with the keys whose value is another one, or gone. */
    onChange(listener: (keys: string[]) => void): void {
      listeners.push(listener);
    },

    stats(): Record<Resource, ResourceStats> {
      for (const looker of lookers) looker();
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

    /** Takes up what a snapshot kept, `elapsedMs` later, where nothing newer stands. Answers how many are of use. */
    restore(saved: readonly SavedEntry[], elapsedMs: number): number {
      let restored = 0;
      for (const one of saved.toReversed()) {
        const entry = restoredEntry(one, ++versions, clock(), elapsedMs);
        if (entries.has(one.key) || ageOf(entry, clock()) === 'dead') continue;
        entries.set(one.key, entry);
        restored++;
      }
      return restored;
    },

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

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type CacheMode, createCacheMode, Frozen } from './mode.ts';
import { createPolicyTable, type PolicyTable } from './policy-table.ts';
import type { Dependency, Reading, ReadState } from './reading.ts';
import { createRefreshQueue } from './refresh-queue.ts';
import { type Policy, RESOURCES, type Resource } from './resources.ts';
import type { SavedEntry } from './snapshot.ts';

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

/** Counts of one resource since the start. */
export interface ResourceStats {
  entries: number;
  bytes: number;
  hits: number;
  misses: number;
  staleHits: number;
  /** Reads that waited for another read's load. */
  coalesced: number;
  refreshes: number;
  errors: number;
  policy: Policy;
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
}

/** What the cache knows of one answer. Times in seconds. */
export interface ExplainedAnswer {
  key: string;
  resource: string;
  /** `erring`: past `swr`, served only while its load fails. `expired`: past every age. `absent`: the upstream's no. */
  state: 'fresh' | 'stale' | 'erring' | 'expired' | 'absent' | 'missing';
  /** Since the upstream last gave it. Null where there is no copy. */
  ageSeconds: number | null;
  /** When it is due to be asked for again, by its next reader: 0 is now. Null where there is no copy. */
  nextRefreshSeconds: number | null;
  tags: string[];
  bytes: number;
  version: number | null;
  loading: boolean;
  /** How its last load ended, as far as it is remembered. */
  lastOutcome: 'loaded' | 'failed' | 'absent' | 'unknown';
  lastError: { message: string; secondsAgo: number } | null;
}

interface Entry {
  resource: Resource;
  /** Has it asked for again, in the background: a page that finds it stale is no `read`. */
  renew: (() => void) | null;
  value: unknown;
  tags: string[];
  digest: string;
  version: number;
  storedAt: number;
  /** Multiplies the ttl. */
  jitter: number;
  bytes: number;
  /** When a soft purge made it stale. Its age goes on: no purge makes a copy younger. */
  expired: number | null;
}

interface Flight {
  entry: Promise<Entry>;
  startedAt: number;
  /** Purged while it was under way: what it brings may be from before, and is not kept. */
  outdated: boolean;
}

type Age = 'fresh' | 'stale' | 'erring' | 'dead';

/** An upstream's no is believed this long. */
export const NEGATIVE_MS = 15_000;
/** A failure is remembered this long, so that a broken upstream is not asked by every reader. */
export const FAILURE_MS = 1_000;
/** Past `swr` a load may take this long before the old copy stands in for it. */
export const PATIENCE_MS = 250;
/** A load that failed this recently is likely to fail again: readers with an old copy do not wait for the next. */
const FAILING_MS = 10_000;
const JITTER = 0.1;
/** Refreshes that wait, at most: no more than the queue takes, so that each one counted is one that waits. */
const REFRESHES_WAITING = 5_000;

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
}: ContentCacheOptions) {
  const policies: PolicyTable = createPolicyTable(configured);
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  const absent = new LRUCache<string, { until: number; tags: string[] }>({ max: 5_000 });
  const failures = new LRUCache<string, { at: number; error: unknown }>({ max: 5_000 });
  const flights = new Map<string, Flight>();
  const counts = new Map(
    RESOURCES.map((resource) => [
      resource,
      { hits: 0, misses: 0, staleHits: 0, coalesced: 0, refreshes: 0, errors: 0 },
    ]),
  );
  const listeners: ((keys: string[]) => void)[] = [];
  const reviewers: (() => void)[] = [];
  const refreshes = createRefreshQueue();
  const waiting = new Set<string>();
  let refreshing = 0;
  let versions = 0;

  const review = () => {
    for (const reviewer of reviewers) reviewer();
  };
  policies.onChange(review);
  mode.onChange(review);

  function count(
    resource: Resource,
    what: 'hits' | 'misses' | 'staleHits' | 'coalesced' | 'refreshes' | 'errors',
  ): void {
    const of = counts.get(resource);
    if (of) of[what]++;
  }

  /** A stretched ttl holds until its mode ends, and no longer than the ordinary one after that. */
  function freshUntil({ resource, storedAt, jitter, expired }: Entry): number {
    if (expired !== null) return Math.min(expired, storedAt + policies.get(resource).ttl * 1000 * jitter);
    const ttl = policies.get(resource).ttl * 1000 * jitter;
    const factor = mode.ttlFactor();
    if (factor <= 1) return storedAt + ttl * factor;
    return Math.max(storedAt + ttl, Math.min(storedAt + ttl * factor, mode.endsAt()));
  }

  function ageOf(entry: Entry, now: number): Age {
    const { swr, sie } = policies.get(entry.resource);
    const past = now - freshUntil(entry);
    if (past < 0) return 'fresh';
    if (past < swr * 1000) return 'stale';
    return past < (swr + sie) * 1000 ? 'erring' : 'dead';
  }

  function announce(keys: string[]): void {
    if (keys.length > 0) for (const listener of listeners) listener(keys);
  }

  function entryOf<T>(request: CacheRequest<T>, value: T, known: Entry | undefined): Entry {
    const { resource, key, tags } = request;
    const text = JSON.stringify(value);
    const digest = hash('sha1', text, 'base64');
    const unchanged = known?.digest === digest;
    return {
      resource,
      renew: () => refresh(request),
      value: unchanged ? known.value : value,
      tags: [resource, ...tags(value)],
      digest,
      version: unchanged ? known.version : ++versions,
      storedAt: clock(),
      jitter: 1 + (random() * 2 - 1) * JITTER,
      bytes: text.length * 2 + key.length * 2 + 500,
      expired: null,
    };
  }

  function store<T>(request: CacheRequest<T>, value: T): Entry {
    const known = entries.peek(request.key);
    const entry = entryOf(request, value, known);
    entries.set(request.key, entry);
    if (known && known.version !== entry.version) announce([request.key]);
    return entry;
  }

  /** The one load of a key. A leader that fails fails its waiters once. */
  function fly<T>(request: CacheRequest<T>, cold: boolean): Promise<Entry> {
    const running = flights.get(request.key);
    if (running) return running.entry;
    const { promise, resolve, reject } = Promise.withResolvers<Entry>();
    const flight: Flight = { entry: promise, startedAt: clock(), outdated: false };
    flights.set(request.key, flight);
    void land(request, cold, flight).then(resolve, reject);
    return promise;
  }

  async function land<T>(request: CacheRequest<T>, cold: boolean, flight: Flight): Promise<Entry> {
    try {
      const value = await request.load({ cold });
      if (flight.outdated) return entryOf(request, value, undefined);
      const stored = store(request, value);
      failures.delete(request.key);
      absent.delete(request.key);
      return stored;
    } catch (error) {
      // A no from before a purge may be what the purge is about.
      if (!(flight.outdated && error instanceof Absent)) remember(request, error);
      throw error;
    } finally {
      flights.delete(request.key);
    }
  }

  /** Readers who come after a purge wait for new data, not for a load that began before it. One load a key all the same. */
  function outdatedFlightOf(key: string): Promise<unknown> | null {
    const flight = flights.get(key);
    return flight?.outdated ? flight.entry.catch(() => undefined) : null;
  }

  function remember({ key, resource }: Pick<CacheRequest<never>, 'key' | 'resource'>, error: unknown): void {
    if (error instanceof Absent) {
      absent.set(key, { until: clock() + NEGATIVE_MS, tags: entries.peek(key)?.tags ?? [resource] });
      if (entries.delete(key)) announce([key]);
      return;
    }
    count(resource, 'errors');
    failures.set(key, { at: clock(), error });
  }

  function recentFailure(key: string): { error: unknown } | null {
    const failure = failures.peek(key);
    return failure && clock() - failure.at < FAILURE_MS ? failure : null;
  }

  function refresh<T>(request: CacheRequest<T>): void {
    const { key, resource } = request;
    if (flights.has(key) || recentFailure(key)) return;
    if (!waiting.has(key) && waiting.size >= REFRESHES_WAITING) return;
    waiting.add(key);
    refreshes.add(key, async () => {
      waiting.delete(key);
      // It may have waited for its turn since before the freeze.
      if (mode.name() === 'freeze') return;
      count(resource, 'refreshes');
      refreshing++;
      // The failure is remembered and counted; the copy that stands is the answer.
      await fly(request, false).catch(() => undefined);
      refreshing--;
    });
  }

  function serve<T>(entry: Entry, { key, resource }: CacheRequest<T>, reading: Reading, state: ReadState): T {
    reading.record({ resource, key, version: entry.version }, state, freshUntil(entry));
    // Only `store` writes an entry, and it does so with this request's own type.
    return entry.value as T;
  }

  async function cold<T>(request: CacheRequest<T>, reading: Reading): Promise<T> {
    if (isAbsent(request.key)) throw new Absent();
    const failure = recentFailure(request.key);
    if (failure) throw failure.error;
    const outdated = outdatedFlightOf(request.key);
    if (outdated) {
      await outdated;
      return cold(request, reading);
    }
    count(request.resource, flights.has(request.key) ? 'coalesced' : 'misses');
    return serve(await fly(request, true), request, reading, 'miss');
  }

  async function patient<T>(entry: Entry, request: CacheRequest<T>, reading: Reading): Promise<T> {
    const { key, resource } = request;
    if (isInTrouble(key)) {
      count(resource, 'staleHits');
      refresh(request);
      return serve(entry, request, reading, 'stale');
    }
    const how = flights.has(key) ? 'coalesced' : 'misses';
    const loaded = await within(patience(key), fly(request, false));
    if (loaded === 'absent') throw new Absent();
    count(resource, loaded ? how : 'staleHits');
    if (loaded) return serve(loaded, request, reading, 'miss');
    return serve(entry, request, reading, 'stale');
  }

  function isAbsent(key: string): boolean {
    return clock() < (absent.get(key)?.until ?? 0);
  }

  /** Whatever is there, of any age; nothing is asked for. */
  function frozen<T>(entry: Entry | undefined, request: CacheRequest<T>, reading: Reading): T {
    const { key, resource } = request;
    if (!entry) throw isAbsent(key) ? new Absent() : new Frozen(resource);
    const fresh = ageOf(entry, clock()) === 'fresh';
    count(resource, fresh ? 'hits' : 'staleHits');
    return serve(entry, request, reading, fresh ? 'hit' : 'stale');
  }

  /** Asks the upstream whatever is cached. Only a load that fails, or has just failed, is stood in for by the copy. */
  async function asking<T>(entry: Entry | undefined, request: CacheRequest<T>, reading: Reading): Promise<T> {
    const { key, resource } = request;
    const outdated = outdatedFlightOf(key);
    if (outdated) await outdated;
    const failure = recentFailure(key);
    count(resource, flights.has(key) ? 'coalesced' : 'misses');
    try {
      if (failure) throw failure.error;
      return serve(await fly(request, !entry), request, reading, 'miss');
    } catch (error) {
      if (error instanceof Absent || !entry || ageOf(entry, clock()) === 'dead') throw error;
      return serve(entry, request, reading, 'stale');
    }
  }

  /** Its load failed lately or hangs: nobody with an old copy waits for it, and it is asked for in the background. */
  function isInTrouble(key: string): boolean {
    const failure = failures.peek(key);
    return (failure !== undefined && clock() - failure.at < FAILING_MS) || patience(key) <= 0;
  }

  /** How much longer a reader waits for a key's load, in milliseconds. */
  function patience(key: string): number {
    const flight = flights.get(key);
    return flight ? PATIENCE_MS - (clock() - flight.startedAt) : PATIENCE_MS;
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
    const entry = entries.peek(key);
    const now = clock();
    const failure = failures.peek(key);
    const known = {
      key,
      resource,
      loading: flights.has(key),
      lastError: failure ? { message: wordsOf(failure.error), secondsAgo: seconds(now - failure.at) } : null,
    };
    if (!entry) {
      const gone = isAbsent(key);
      const lastOutcome = gone ? 'absent' : failure ? 'failed' : 'unknown';
      const nothing = { ageSeconds: null, nextRefreshSeconds: null, tags: [], bytes: 0, version: null };
      return { ...known, ...nothing, state: gone ? 'absent' : 'missing', lastOutcome };
    }
    const age = ageOf(entry, now);
    return {
      ...known,
      state: age === 'dead' ? 'expired' : age,
      ageSeconds: seconds(now - entry.storedAt),
      nextRefreshSeconds: seconds(Math.max(0, freshUntil(entry) - now)),
      tags: entry.tags,
      bytes: entry.bytes,
      version: entry.version,
      lastOutcome: failure ? 'failed' : 'loaded',
    };
  }

  return {
    policies,
    mode,

    /** What is known of the answer under a key. Nothing is loaded, and no reader is counted. */
    explain,

    /** Keys without a copy whose last load failed, the latest first, at most `most`. */
    failing(most: number): ExplainedAnswer[] {
      const keys = [...failures.keys()].filter((key) => !entries.has(key)).slice(0, most);
      return keys.map((key) => explain(key, key.split('/', 1)[0] ?? key));
    },

    /** Background refreshes under way and waiting for their turn. */
    refreshes: () => ({ running: refreshing, waiting: waiting.size }),

    /** Called when ages mean something else than before: pages have to look at their data again. */
    onReview(reviewer: () => void): void {
      reviewers.push(reviewer);
    },

    /** Answers from memory where the ages allow, else loads. Rejects with `Absent`, or with what `load` rejected with. */
    async read<T>(request: CacheRequest<T>, reading: Reading): Promise<T> {
      const entry = entries.get(request.key);
      // An entry from a snapshot learns from its first reader how it is asked for.
      if (entry) entry.renew ??= () => refresh(request);
      const how = mode.name();
      if (how === 'freeze') return frozen(entry, request, reading);
      if (how === 'bypass') return asking(entry, request, reading);
      const age = entry ? ageOf(entry, clock()) : 'dead';
      if (!entry || age === 'dead') return cold(request, reading);
      if (age === 'erring') return patient(entry, request, reading);
      if (age === 'stale') {
        count(request.resource, 'staleHits');
        refresh(request);
        return serve(entry, request, reading, 'stale');
      }
      count(request.resource, 'hits');
      return serve(entry, request, reading, 'hit');
    },

    /**
     * Whether a page's data is still what it was made of, and how long it stays fresh (negative: stale since). A
     * page counts as a reader: what it finds stale is refreshed; what a reader would wait for, it does not stand on.
     */
    check(dependencies: readonly Dependency[]): { unchanged: boolean; freshForMs: number } {
      const now = clock();
      if (mode.name() === 'bypass') return { unchanged: false, freshForMs: 0 };
      let until = Number.POSITIVE_INFINITY;
      for (const { key, version } of dependencies) {
        const entry = entries.get(key);
        if (entry?.version !== version || !stands(entry, key, now))
          return { unchanged: false, freshForMs: 0 };
        until = Math.min(until, freshUntil(entry));
      }
      return { unchanged: true, freshForMs: until - now };
    },

    /** Takes entries out, or makes them stale (`soft`). Answers how many. Pages made of them are told. */
    purge({ tags = [], keys: named = [], all = false, soft = false }: Purge): number {
      const wanted = new Set(tags);
      const chosen = new Set(named);
      const keys = [...entries.entries()]
        .filter(([key, entry]) => all || chosen.has(key) || entry.tags.some((tag) => wanted.has(tag)))
        .map(([key]) => key);
      const gone = new Set(keys);
      for (const [key, flight] of flights) {
        // What a first load will be tagged with is not known yet, so it may be meant.
        const meant = gone.has(key) || chosen.has(key) || (wanted.size > 0 && !entries.has(key));
        if (all || meant) flight.outdated = true;
      }
      for (const key of keys) {
        const entry = entries.peek(key);
        if (soft && entry) entry.expired ??= clock();
        else entries.delete(key);
      }
      for (const [key, denial] of [...absent.entries()]) {
        if (all || chosen.has(key) || denial.tags.some((tag) => wanted.has(tag))) absent.delete(key);
      }
      announce(keys);
      return keys.length;
    },

    /** Called with the keys whose value is another one, or gone. */
    onChange(listener: (keys: string[]) => void): void {
      listeners.push(listener);
    },

    stats(): Record<Resource, ResourceStats> {
      const sizes = new Map<Resource, { entries: number; bytes: number }>();
      for (const { resource, bytes } of entries.values()) {
        const size = sizes.get(resource) ?? { entries: 0, bytes: 0 };
        sizes.set(resource, { entries: size.entries + 1, bytes: size.bytes + bytes });
      }
      const rows = RESOURCES.map((resource) => {
        const zero = { hits: 0, misses: 0, staleHits: 0, coalesced: 0, refreshes: 0, errors: 0 };
        return [
          resource,
          {
            entries: 0,
            bytes: 0,
            ...sizes.get(resource),
            ...(counts.get(resource) ?? zero),
            policy: policies.get(resource),
          },
        ];
      });
      return Object.fromEntries(rows);
    },

    /** What a snapshot keeps, most recently used first. */
    *entries(): Generator<SavedEntry> {
      const now = clock();
      for (const key of [...entries.keys()]) {
        const entry = entries.peek(key);
        if (!entry) continue;
        const { resource, tags, jitter, storedAt } = entry;
        // `store` made sure that it is JSON.
        const value = entry.value as SavedEntry['value'];
        const ageMs = Math.max(0, now - storedAt);
        yield { key, resource, tags, value, ageMs, jitter, expired: entry.expired !== null };
      }
    },

    /** Takes up what a snapshot kept, `elapsedMs` later, where nothing newer stands. Answers how many are of use. */
    restore(saved: readonly SavedEntry[], elapsedMs: number): number {
      let restored = 0;
      for (const { key, resource, tags, value, ageMs, jitter, expired } of saved.toReversed()) {
        const text = JSON.stringify(value);
        const storedAt = clock() - ageMs - elapsedMs;
        const entry: Entry = {
          resource,
          renew: null,
          value,
          tags,
          digest: hash('sha1', text, 'base64'),
          version: ++versions,
          storedAt,
          jitter,
          bytes: text.length * 2 + key.length * 2 + 500,
          expired: expired ? clock() : null,
        };
        if (entries.has(key) || ageOf(entry, clock()) === 'dead') continue;
        entries.set(key, entry);
        restored++;
      }
      return restored;
    },

    async close(): Promise<void> {
      refreshes.close();
      waiting.clear();
    },
  };
}

export type ContentCache = ReturnType<typeof createContentCache>;

/** The entry if it comes in time, `absent` where the upstream says no, null when it is late or fails. */
async function within(ms: number, load: Promise<Entry>): Promise<Entry | 'absent' | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, ms));
  });
  const settled = load.catch((error: unknown) => (error instanceof Absent ? ('absent' as const) : null));
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** Errors of loads name the call and what went wrong, nothing of a reader. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}

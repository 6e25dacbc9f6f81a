import type { Clock } from '#server/time.ts';
import { byResource, RESOURCES, type Resource } from '#shared/models/resources-and-policies.ts';

/** Lengths of periods, in seconds. For each length it is counted in how many periods a key was read. All divide a minute. */
export const PERIODS = [1, 4, 15, 60] as const;

/** Accesses of one key in seconds of the cache's clock, ascending. */
export interface KeyAccesses {
  /** `cold`: the key was not cached at a read of this second. */
  reads: { second: number; count: number; cold: boolean }[];
  /** In how many of each of `PERIODS` it was read. */
  periods: number[];
  /** When the value probably changed upstream. */
  changes: number[];
}

/** The recorded accesses of one resource. */
export interface RecordedAccesses {
  /** The window, in seconds of the cache's clock. */
  since: number;
  until: number;
  /** Of all keys, also those that are not sampled. */
  reads: number;
  /** For each of `PERIODS`: in how many of them each of all keys was read, added up. */
  periods: readonly number[];
  /** The share of the keys that is sampled. */
  sampleRate: number;
  keys: readonly KeyAccesses[];
}

/** The capacity of a site's ring: 1.3 MB; with the sums by the minute and what tells keys apart 2 MB. */
export const ACCESSES = 100_000;
/** If the ring would not hold the accesses of this time, the share of the resource with the most accesses is halved. */
const MIN_WINDOW_MINUTES = 60;
/** If it holds those of this time, the smallest share is doubled. */
const SPARE_WINDOW_MINUTES = 480;
/** Accesses before this time are not returned. */
const MAX_WINDOW_MINUTES = 1_440;
/** The share of a resource that fills less of the ring is not halved: a sample of few keys says nothing. */
const MIN_RING_PART = 0.25;
const ALL_HASHES = 2 ** 32;
const RECENT_PLACES = 2 ** 10;
/** Bits by which the keys of a period are counted (linear counting): many more than keys are read in a minute. */
const KEY_BITS = 2 ** 18;
/** Columns of a row of the sums: the minute, its reads, and for each of `PERIODS` the sum of the periods with a read. */
const COLUMNS = 2 + PERIODS.length;

/** Kinds of an access. An access's type is one number: that of its resource times `KINDS`, plus its kind. */
const READ = 0;
const COLD = 1;
const CHANGE = 2;
const KINDS = 3;

/**
 * Creates a ring of sampled accesses, on which the TTL simulator replays policies: hash of the key and second, with the
 * count of reads in it. Keys are sampled by their hash (SHARDS, Waldspurger et al. 2015), so that a sampled key has its
 * whole history. Each resource has a share of its own, at first all keys; the shares adapt to the ring each minute. Of all
 * keys there are sums by the minute. `capacity`: accesses that are kept, 13 bytes each.
 */
export function createAccessRing({ clock, capacity }: { clock: Clock; capacity: number }) {
  const hashes = new Uint32Array(capacity);
  const seconds = new Uint32Array(capacity);
  const counts = new Uint32Array(capacity);
  const types = new Uint8Array(capacity);
  /** Places of recent accesses, by hash: those of one key in one second share a place. */
  const recent = new Uint32Array(RECENT_PLACES);
  let added = 0;
  let minute = minuteOf(clock.monotonic() / 1000);
  const shares = byResource(() => ({ threshold: ALL_HASHES, since: Math.floor(clock.monotonic() / 1000) }));
  /** Accesses in the ring since the shares were adapted. */
  let accesses = byResource(() => 0);
  const sums = byResource(() => new Uint32Array(COLUMNS * MAX_WINDOW_MINUTES));
  const isFirstIn = PERIODS.map(createDistinctKeys);

  function add(resource: Resource, kind: number, hash: number, count: number, second: number): void {
    const type = RESOURCES.indexOf(resource) * KINDS + kind;
    const slot = (hash ^ type) & (RECENT_PLACES - 1);
    const place = recent[slot] ?? 0;
    if (hashes[place] === hash && seconds[place] === second && types[place] === type) {
      counts[place] = (counts[place] ?? 0) + count;
      return;
    }
    accesses[resource]++;
    const next = added++ % capacity;
    hashes[next] = hash;
    seconds[next] = second;
    types[next] = type;
    counts[next] = count;
    recent[slot] = next;
  }

  function addToSums(resource: Resource, hash: number, count: number, second: number): void {
    const minute = minuteOf(second);
    const place = COLUMNS * (minute % MAX_WINDOW_MINUTES);
    const row = sums[resource].subarray(place, place + COLUMNS);
    if (row[0] !== minute) row.fill(0).set([minute]);
    row[1] = (row[1] ?? 0) + count;
    for (const [nth, isFirst] of isFirstIn.entries())
      if (isFirst(hash, second)) row[2 + nth] = (row[2 + nth] ?? 0) + 1;
  }

  /** Second of the oldest access. */
  const oldestSecond = () => seconds[added > capacity ? added % capacity : 0] ?? 0;

  /** Halves the share of the resource with the most accesses if the ring gets too small, or doubles the smallest share. */
  function adaptShares(now: number): void {
    const rate = RESOURCES.reduce((sum, resource) => sum + accesses[resource], 0);
    const busiest = RESOURCES.reduce((one, other) => (accesses[other] > accesses[one] ? other : one));
    const smallest = RESOURCES.reduce((one, other) =>
      shares[other].threshold < shares[one].threshold ? other : one,
    );
    const isLarge = accesses[busiest] * MIN_WINDOW_MINUTES > capacity * MIN_RING_PART;
    if (rate * MIN_WINDOW_MINUTES > capacity && isLarge) shares[busiest].threshold /= 2;
    else if (now - oldestSecond() > SPARE_WINDOW_MINUTES * 60 && shares[smallest].threshold < ALL_HASHES)
      // What was read of the keys that are sampled from now on is not known.
      shares[smallest] = { threshold: shares[smallest].threshold * 2, since: nextMinute(now) };
    accesses = byResource(() => 0);
  }

  return {
    /** Records reads of one key. `cold`: it was not cached. `at`: when they came, in monotonic milliseconds. */
    read(resource: Resource, key: string, count: number, cold: boolean, at = clock.monotonic()): void {
      const second = Math.floor(at / 1000);
      if (minuteOf(second) > minute) {
        minute = minuteOf(second);
        adaptShares(second);
      }
      const hash = hashOf(key);
      addToSums(resource, hash, count, second);
      if (hash < shares[resource].threshold) add(resource, cold ? COLD : READ, hash, count, second);
    },

    /**
     * Records another value. It appeared upstream between two loads, in monotonic milliseconds: half-way is the best estimate.
     * Not one of before the process: a value of a snapshot was loaded then, at a negative time.
     */
    changed(resource: Resource, key: string, from: number, to: number): void {
      const hash = hashOf(key);
      const second = Math.floor((from + to) / 2_000);
      if (second >= 0 && hash < shares[resource].threshold) add(resource, CHANGE, hash, 1, second);
    },

    /** Returns what is kept of a resource. Where that is not all since the start it begins with a whole minute. */
    recorded(resource: Resource): RecordedAccesses {
      const { threshold, since: sampledSince } = shares[resource];
      const until = clock.monotonic() / 1000;
      const first = Math.max(0, added - capacity);
      // A change is told long after its second.
      let oldest = first;
      while (oldest < added && (types[oldest % capacity] ?? 0) % KINDS === CHANGE) oldest++;
      const since = Math.max(
        sampledSince,
        first > 0 ? nextMinute(seconds[oldest % capacity] ?? 0) : 0,
        nextMinute(until - MAX_WINDOW_MINUTES * 60),
      );
      const index = RESOURCES.indexOf(resource);
      const places: number[] = [];
      for (let nth = first; nth < added; nth++) {
        const place = nth % capacity;
        const isMeant = Math.floor((types[place] ?? 0) / KINDS) === index;
        if (isMeant && (seconds[place] ?? 0) >= since) places.push(place);
      }
      // Hits of cached pages are recorded up to a second late.
      places.sort((one, other) => (seconds[one] ?? 0) - (seconds[other] ?? 0));
      const keys = new Map<number, KeyAccesses>();
      for (const place of places) {
        const [hash = 0, second = 0, count = 0] = [hashes[place], seconds[place], counts[place]];
        if (hash >= threshold) continue;
        const history = keys.get(hash) ?? { reads: [], periods: PERIODS.map(() => 0), changes: [] };
        keys.set(hash, history);
        const kind = (types[place] ?? 0) % KINDS;
        if (kind === CHANGE) history.changes.push(second);
        else addRead(history, { second, count, cold: kind === COLD });
      }
      const table = sums[resource];
      const total = (column: number) =>
        table.reduce((sum, value, nth) => {
          const isMeant = nth % COLUMNS === column && (table[nth - column] ?? 0) >= minuteOf(since);
          return isMeant ? sum + value : sum;
        }, 0);
      return {
        since,
        until,
        reads: total(1),
        periods: PERIODS.map((_, nth) => total(2 + nth)),
        sampleRate: threshold / ALL_HASHES,
        keys: [...keys.values()],
      };
    },
  };
}

function minuteOf(second: number): number {
  return Math.floor(second / 60);
}

function nextMinute(second: number): number {
  return (minuteOf(second) + 1) * 60;
}

/**
 * Returns a function that says whether a key comes the first time in a period, by a bit for its hash (linear counting).
 * It knows two periods: what is told late is of the one before.
 */
function createDistinctKeys(periodSeconds: number) {
  const bits = [new Uint8Array(KEY_BITS / 8), new Uint8Array(KEY_BITS / 8)] as const;
  const periods = [Number.NaN, Number.NaN];
  return (hash: number, second: number): boolean => {
    const period = Math.floor(second / periodSeconds);
    const nth = period % 2 === 0 ? 0 : 1;
    const bytes = bits[nth];
    if (periods[nth] !== period) bytes.fill(0);
    periods[nth] = period;
    const at = (hash % KEY_BITS) >>> 3;
    const bit = 1 << (hash & 7);
    const before = bytes[at] ?? 0;
    bytes[at] = before | bit;
    return (before & bit) === 0;
  };
}

export type AccessRing = ReturnType<typeof createAccessRing>;

/** Adds reads of a second. Those of one second are one, also where some of them found nothing. */
function addRead({ reads, periods }: KeyAccesses, read: KeyAccesses['reads'][number]): void {
  const last = reads.at(-1);
  if (last?.second === read.second) {
    last.count += read.count;
    last.cold ||= read.cold;
    return;
  }
  reads.push(read);
  for (const [nth, period] of PERIODS.entries())
    if (!last || Math.floor(last.second / period) !== Math.floor(read.second / period))
      periods[nth] = (periods[nth] ?? 0) + 1;
}

/** FNV-1a with a final mix, so that keys that differ in one letter get distant hashes. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

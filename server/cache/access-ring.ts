import { byResource, RESOURCES, type Resource } from '#shared/models/resources.ts';

/** Accesses of one key in seconds of the cache's clock, ascending. */
export interface KeyAccesses {
  /** `cold`: the key was not cached at a read of this second. */
  reads: { second: number; count: number; cold: boolean }[];
  /** When the value probably changed upstream. */
  changes: number[];
}

/** The recorded accesses of one resource. */
export interface RecordedAccesses {
  /** The window, in seconds of the cache's clock. */
  since: number;
  until: number;
  /** All reads in the window, also those of keys that are not sampled. */
  reads: number;
  /** The share of the keys that is sampled. */
  sampleRate: number;
  keys: readonly KeyAccesses[];
}

export interface AccessRingOptions {
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Accesses that are kept, 12 bytes each. */
  capacity?: number;
}

/** 2 MB. */
const CAPACITY = 166_000;
/** The ring is to hold at least this long: else the resource with the most accesses gets a smaller share. */
const MIN_WINDOW_MINUTES = 60;
/** Where the ring would hold this long, the smallest share grows again. */
const SPARE_WINDOW_MINUTES = 8 * MIN_WINDOW_MINUTES;
/** A resource that needs a smaller part of the ring keeps its share: a sample of few keys says nothing. */
const MIN_RING_PART = 0.25;
const ALL_HASHES = 2 ** 32;
/** Power of two. */
const RECENT_PLACES = 1_024;

/** Kind of an access. `unsampled`: reads of all keys of a resource that are not sampled. */
const KINDS = ['read', 'cold', 'change', 'unsampled'] as const;
type Kind = (typeof KINDS)[number];
/** Resource, kind and count share 32 bits: 4, 2 and 26 of them. */
const COUNT_BITS = 26;
const MAX_COUNT = 2 ** COUNT_BITS - 1;

/**
 * Creates a ring of sampled accesses, on which the TTL simulator replays policies: hash of the key and second, with the
 * count of reads in it. Keys are sampled by their hash (SHARDS, Waldspurger et al. 2015), so that a sampled key has its
 * whole history. Each resource has a share of its own, at first all keys; the shares adapt to the ring each minute.
 */
export function createAccessRing({ clock, capacity = CAPACITY }: AccessRingOptions) {
  const hashes = new Uint32Array(capacity);
  const seconds = new Uint32Array(capacity);
  const packed = new Uint32Array(capacity);
  /** Places of recent accesses, by hash: those of one key in one second share a place. */
  const recent = new Uint32Array(RECENT_PLACES);
  let added = 0;
  let minute = Math.floor(clock() / 60_000);
  const shares = byResource(() => ({ threshold: ALL_HASHES, since: Math.floor(clock() / 1000) }));

  function add(resource: Resource, kind: Kind, hash: number, count: number, second: number): void {
    const what = ((RESOURCES.indexOf(resource) << 2) | KINDS.indexOf(kind)) << COUNT_BITS;
    const slot = (hash ^ (what >>> COUNT_BITS)) & (RECENT_PLACES - 1);
    const place = recent[slot] ?? 0;
    const before = packed[place] ?? 0;
    if (hashes[place] === hash && seconds[place] === second && (before & ~MAX_COUNT) === what) {
      packed[place] = what | Math.min(MAX_COUNT, (before & MAX_COUNT) + count);
      return;
    }
    const next = added++ % capacity;
    hashes[next] = hash;
    seconds[next] = second;
    packed[next] = what | Math.min(MAX_COUNT, count);
    recent[slot] = next;
  }

  /** Halves the share of the resource with the most accesses if the ring is too small, or doubles the smallest share. */
  function adaptShares(now: number): void {
    const accesses = byResource(() => 0);
    let rate = 0;
    for (let nth = added - 1; nth >= Math.max(0, added - capacity); nth--) {
      const place = nth % capacity;
      if ((seconds[place] ?? 0) < now - 60) break;
      const resource = RESOURCES[(packed[place] ?? 0) >>> (COUNT_BITS + 2)];
      if (resource) accesses[resource]++;
      rate++;
    }
    const busiest = RESOURCES.reduce((one, other) => (accesses[other] > accesses[one] ? other : one));
    const smallest = RESOURCES.reduce((one, other) =>
      shares[other].threshold < shares[one].threshold ? other : one,
    );
    const isLarge = accesses[busiest] * MIN_WINDOW_MINUTES > capacity * MIN_RING_PART;
    if (rate * MIN_WINDOW_MINUTES > capacity && isLarge) shares[busiest].threshold /= 2;
    else if (rate * SPARE_WINDOW_MINUTES < capacity && shares[smallest].threshold < ALL_HASHES)
      // What was read of the keys that are sampled from now on is not known.
      shares[smallest] = { threshold: shares[smallest].threshold * 2, since: now };
  }

  return {
    /** Records reads of one key. `cold`: it was not cached. `at`: when they came, in monotonic milliseconds. */
    read(resource: Resource, key: string, count: number, cold: boolean, at = clock()): void {
      const second = Math.floor(at / 1000);
      if (Math.floor(second / 60) > minute) {
        minute = Math.floor(second / 60);
        adaptShares(second);
      }
      const hash = hashOf(key);
      if (hash < shares[resource].threshold) add(resource, cold ? 'cold' : 'read', hash, count, second);
      else add(resource, 'unsampled', 0, count, second);
    },

    /** Records another value. It appeared upstream between two loads, in monotonic milliseconds: half-way is the best estimate. */
    changed(resource: Resource, key: string, from: number, to: number): void {
      const hash = hashOf(key);
      if (hash < shares[resource].threshold)
        add(resource, 'change', hash, 1, Math.floor((from + to) / 2_000));
    },

    /** Returns what is kept of a resource. */
    recorded(resource: Resource): RecordedAccesses {
      const { threshold, since: sampledSince } = shares[resource];
      const first = Math.max(0, added - capacity);
      // A change is told long after its second.
      let oldest = first;
      while (oldest < added && kindOf(packed[oldest % capacity] ?? 0) === 'change') oldest++;
      // The oldest second may be kept in part.
      const since = Math.max(sampledSince, first > 0 ? (seconds[oldest % capacity] ?? 0) + 1 : 0);
      const index = RESOURCES.indexOf(resource);
      const places: number[] = [];
      for (let nth = first; nth < added; nth++) {
        const place = nth % capacity;
        if ((packed[place] ?? 0) >>> (COUNT_BITS + 2) === index && (seconds[place] ?? 0) >= since)
          places.push(place);
      }
      // Hits of cached pages are recorded up to a second late.
      places.sort((one, other) => (seconds[one] ?? 0) - (seconds[other] ?? 0));
      const keys = new Map<number, KeyAccesses>();
      let reads = 0;
      for (const place of places) {
        const [hash = 0, second = 0, what = 0] = [hashes[place], seconds[place], packed[place]];
        const kind = kindOf(what);
        const count = what & MAX_COUNT;
        if (kind !== 'change') reads += count;
        if (kind === 'unsampled' || hash >= threshold) continue;
        const history = keys.get(hash) ?? { reads: [], changes: [] };
        keys.set(hash, history);
        if (kind === 'change') history.changes.push(second);
        else addRead(history, { second, count, cold: kind === 'cold' });
      }
      return {
        since,
        until: clock() / 1000,
        reads,
        sampleRate: threshold / ALL_HASHES,
        keys: [...keys.values()],
      };
    },
  };
}

function kindOf(what: number): Kind | undefined {
  return KINDS[(what >>> COUNT_BITS) & 3];
}

export type AccessRing = ReturnType<typeof createAccessRing>;

/** Reads of one second are one, also where some of them found nothing. */
function addRead({ reads }: KeyAccesses, read: KeyAccesses['reads'][number]): void {
  const last = reads.at(-1);
  if (last?.second !== read.second) return void reads.push(read);
  last.count += read.count;
  last.cold ||= read.cold;
}

/** FNV-1a with a final mix, so that keys that differ in one letter get distant hashes. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

import { z } from 'zod';
import { RESOURCES } from '#shared/models/resources.ts';
import {
  addReads,
  forgetBefore,
  type KeyAccesses,
  keyAccesses,
  newKeyAccesses,
  readsOf,
  readsSince,
  shifted,
  sizeOf,
} from './key-accesses.ts';

/** The recorded accesses of one resource. Times in seconds of the cache's clock. */
export interface RecordedAccess {
  /** The window. Histories may begin before it: what was cached when it begins follows from them. */
  since: number;
  until: number;
  /** All reads in the window, also those of keys without a history. */
  reads: number;
  /** Histories of the busiest keys, all of them. */
  busiest: readonly KeyAccesses[];
  /** The share of the other keys that is in `sample`. */
  sampleRate: number;
  sample: readonly KeyAccesses[];
}

interface RecordedKey {
  hash: number;
  isBusy: boolean;
  history: KeyAccesses;
}

/** A recorded key as it is saved. */
export const savedKey = z.object({ key: z.string(), isBusy: z.boolean(), history: keyAccesses });
type SavedKey = z.infer<typeof savedKey>;

/** What is saved of a resource besides its keys. Times in seconds of the clock of the process that saved it. */
export const savedWindow = z.object({
  resource: z.enum(RESOURCES),
  since: z.number(),
  now: z.number(),
  /** Hashes below this one are in the sample. */
  threshold: z.number().positive(),
  total: keyAccesses,
});
type SavedWindow = Omit<z.infer<typeof savedWindow>, 'resource'>;

/** Shortening goes down to this share of the budget, so that the next one is far off. */
const TARGET_USE = 0.75;
/** Keys recorded whatever their hash: an estimate must not depend on whether a busy key is in the sample. */
const BUSIEST = 64;
/** Below this count of keys a smaller sample says little: the window is shortened instead. */
const MIN_SAMPLED_KEYS = 1_000;
/** A key outside the sample with this many reads in a minute is recorded as busy from then on. */
const BUSY_READS_A_MINUTE = 60;
const MAX_UNSAMPLED_KEYS = 2_000;
/** Below this share of the budget there is room for a larger sample. */
const SPARSE_USE = 0.1;
const ALL_HASHES = 2 ** 32;

/**
 * Records one resource within a budget of numbers. Where not all keys fit, it records the busiest and those whose hash is
 * below a threshold, which is halved whenever the budget is used up.
 */
export class ResourceHistory {
  readonly #horizon: number;
  readonly #budget: number;
  readonly #keys = new Map<string, RecordedKey>();
  /** Reads of keys outside the sample in the current minute. */
  readonly #unsampled = new Map<string, number>();
  #total = newKeyAccesses(null);
  #threshold = ALL_HASHES;
  /** A whole second, like the times of reads: a read in the second of the start counts. */
  #since: number;
  #minute = 0;
  #used = 0;

  /** `horizon`: how far back, in seconds. `budget`: maximum count of numbers. `since`: now. */
  constructor(horizon: number, budget: number, since: number) {
    this.#horizon = horizon;
    this.#budget = budget;
    this.#since = Math.floor(since);
  }

  /** `cachedSince`: when the entry that was found had been stored; null where there was none. */
  read(key: string, times: number, cachedSince: number | null, second: number): void {
    addReads(this.#total, second, times, false);
    const recorded = this.#keys.get(key) ?? this.#startRecording(key, times, cachedSince, second);
    if (!recorded) return;
    const before = sizeOf(recorded.history);
    addReads(recorded.history, second, times, cachedSince === null);
    this.#used += sizeOf(recorded.history) - before;
    if (this.#used > this.#budget) this.#shorten(second);
  }

  /** Records that the value changed upstream. */
  changed(key: string, at: number): void {
    const recorded = this.#keys.get(key);
    if (!recorded) return;
    recorded.history.changes.push(at);
    this.#used++;
  }

  /** `seconds`: the length of the window, at most the horizon. Histories may begin before the window. */
  recorded(now: number, seconds = this.#horizon): RecordedAccess {
    this.#enlargeSample(now);
    this.#forgetBefore(now - this.#horizon);
    const keys = [...this.#keys.values()];
    const since = Math.max(this.#since, Math.floor(now - seconds));
    const readsOfKeys = keys.reduce((sum, { history }) => sum + readsSince(history, since), 0);
    return {
      since,
      until: now,
      // Runs of the total are not those of the keys: a window may begin within one.
      reads: this.#threshold === ALL_HASHES ? readsOfKeys : readsSince(this.#total, since),
      busiest: keys.filter(({ isBusy }) => isBusy).map(({ history }) => history),
      sampleRate: this.#threshold / ALL_HASHES,
      sample: keys.filter(({ isBusy }) => !isBusy).map(({ history }) => history),
    };
  }

  /** Yields the recorded keys. May be iterated in pieces: a key that is dropped meanwhile is left out. */
  *keys(): Generator<SavedKey> {
    for (const key of [...this.#keys.keys()]) {
      const recorded = this.#keys.get(key);
      if (recorded) yield { key, isBusy: recorded.isBusy, history: recorded.history };
    }
  }

  window(now: number): SavedWindow {
    return { since: this.#since, now, threshold: this.#threshold, total: this.#total };
  }

  /**
   * Replaces what is recorded by what an earlier process saved, as if no time had passed in between: rates are of the time
   * in which reads were recorded.
   */
  restore(saved: SavedWindow, keys: readonly SavedKey[], now: number): void {
    // Whole seconds, like the times of reads.
    const seconds = Math.floor(now - saved.now);
    this.#since = Math.floor(saved.since) + seconds;
    this.#threshold = saved.threshold;
    this.#total = shifted(saved.total, seconds);
    this.#keys.clear();
    for (const { key, isBusy, history } of keys) {
      const hash = hashOf(key);
      // The sample may have been halved while the keys were saved.
      if (isBusy || hash < saved.threshold)
        this.#keys.set(key, { hash, isBusy, history: shifted(history, seconds) });
    }
    this.#recount();
    if (this.#used > this.#budget) this.#shorten(now);
  }

  /** Returns null for a key that is neither in the sample nor busy. */
  #startRecording(
    key: string,
    times: number,
    cachedSince: number | null,
    second: number,
  ): RecordedKey | null {
    const hash = hashOf(key);
    const isBusy = hash >= this.#threshold;
    if (isBusy && !this.#hasBecomeBusy(key, times, second)) return null;
    const recorded = { hash, isBusy, history: newKeyAccesses(cachedSince) };
    this.#keys.set(key, recorded);
    return recorded;
  }

  #hasBecomeBusy(key: string, times: number, second: number): boolean {
    const minute = Math.floor(second / 60);
    if (minute !== this.#minute || this.#unsampled.size > MAX_UNSAMPLED_KEYS) this.#unsampled.clear();
    this.#minute = minute;
    const reads = (this.#unsampled.get(key) ?? 0) + times;
    this.#unsampled.set(key, reads);
    return reads >= BUSY_READS_A_MINUTE;
  }

  /** Drops what is past the horizon, then every other key of the sample, then the oldest quarters of the window. */
  #shorten(now: number): void {
    this.#forgetBefore(now - this.#horizon);
    while (this.#used > this.#budget * TARGET_USE && this.#keys.size > MIN_SAMPLED_KEYS) this.#halveSample();
    while (this.#used > this.#budget * TARGET_USE && now - this.#since > 2)
      this.#forgetBefore(this.#since + Math.ceil((now - this.#since) / 4));
  }

  #halveSample(): void {
    this.#threshold /= 2;
    const ranked = [...this.#keys].map(([key, recorded]) => ({
      key,
      recorded,
      reads: readsOf(recorded.history),
    }));
    ranked.sort((one, other) => other.reads - one.reads);
    for (const [rank, { key, recorded }] of ranked.entries()) {
      recorded.isBusy = rank < BUSIEST;
      if (!recorded.isBusy && recorded.hash >= this.#threshold) this.#keys.delete(key);
    }
    this.#recount();
  }

  /** Restarts the window with a larger sample once a burst of many keys, which made it small, is over. */
  #enlargeSample(now: number): void {
    if (this.#threshold === ALL_HASHES || this.#used > this.#budget * SPARSE_USE) return;
    this.#threshold = Math.min(ALL_HASHES, this.#threshold * 4);
    this.#keys.clear();
    this.#total = newKeyAccesses(null);
    this.#used = 0;
    this.#since = Math.floor(now);
  }

  #forgetBefore(second: number): void {
    this.#since = Math.max(this.#since, Math.floor(second));
    forgetBefore(this.#total, this.#since);
    for (const [key, { history }] of this.#keys) {
      forgetBefore(history, this.#since);
      if (history.runs.length === 0) this.#keys.delete(key);
    }
    this.#recount();
  }

  #recount(): void {
    this.#used = 0;
    for (const { history } of this.#keys.values()) this.#used += sizeOf(history);
  }
}

/** FNV-1a with a final mix, so that keys that differ in one letter get distant hashes. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

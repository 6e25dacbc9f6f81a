import { addReads, forgetBefore, type KeyHistory, newHistory, readsOf, sizeOf } from './key-history.ts';

/** A resource's recent past, as far as it was kept. Times in seconds of the cache's clock. */
export interface RecordedAccess {
  /** The window that the histories cover. */
  since: number;
  until: number;
  /** All reads of the window, those of keys that are not watched too. */
  reads: number;
  /** The busiest keys, every one of them. */
  busiest: readonly KeyHistory[];
  /** Of the other keys a sample, which holds this share of them. */
  sampleRate: number;
  sample: readonly KeyHistory[];
}

interface Watched {
  hash: number;
  busy: boolean;
  history: KeyHistory;
}

/** After a shortening this share of the budget is in use, so that the next is far off. */
const ROOM = 0.75;
/** Keys that are watched whatever their hash: what a busy key costs must not hang on whether it is in the sample. */
const BUSIEST = 64;
/** With fewer keys than this a smaller sample would say little: the window is shortened instead. */
const FEWEST_KEYS = 1_000;
/** A key that is not watched and is read this often within a minute is a busy one from then on. */
const BUSY_IN_A_MINUTE = 60;
const STRANGERS = 2_000;
/** A record that uses less than this share of its budget can afford to watch more keys. */
const SPARSE = 0.1;
const ALL_KEYS = 2 ** 32;

/**
 * The record of one resource within a budget of numbers. Where its keys do not fit, those are watched whose hash is
 * below a threshold, which is halved whenever the budget is used up, and the busiest.
 */
export class ResourceHistory {
  readonly #horizon: number;
  readonly #budget: number;
  readonly #keys = new Map<string, Watched>();
  readonly #strangers = new Map<string, number>();
  #total = newHistory(null);
  #threshold = ALL_KEYS;
  /** A whole second, as those of reads are: a read within the second of the start counts. */
  #since: number;
  #minute = 0;
  #used = 0;

  /** `horizon`: how far back, in seconds. `budget`: numbers kept. `since`: now. */
  constructor(horizon: number, budget: number, since: number) {
    this.#horizon = horizon;
    this.#budget = budget;
    this.#since = Math.floor(since);
  }

  /** `copyFrom`: since when the copy stood that was found; null where none did. */
  read(key: string, times: number, copyFrom: number | null, second: number): void {
    addReads(this.#total, second, times, false);
    const watched = this.#keys.get(key) ?? this.#watch(key, times, copyFrom, second);
    if (!watched) return;
    const before = sizeOf(watched.history);
    addReads(watched.history, second, times, copyFrom === null);
    this.#used += sizeOf(watched.history) - before;
    if (this.#used > this.#budget) this.#shorten(second);
  }

  /** Another value appeared upstream. */
  changed(key: string, at: number): void {
    const watched = this.#keys.get(key);
    if (!watched) return;
    watched.history.changes.push(at);
    this.#used++;
  }

  accessHistory(now: number): RecordedAccess {
    this.#widen(now);
    this.#forgetBefore(now - this.#horizon);
    const watched = [...this.#keys.values()];
    return {
      since: this.#since,
      until: now,
      reads: readsOf(this.#total),
      busiest: watched.filter(({ busy }) => busy).map(({ history }) => history),
      sampleRate: this.#threshold / ALL_KEYS,
      sample: watched.filter(({ busy }) => !busy).map(({ history }) => history),
    };
  }

  #watch(key: string, times: number, copyFrom: number | null, second: number): Watched | null {
    const hash = hashOf(key);
    const busy = hash >= this.#threshold;
    if (busy && !this.#hasBecomeBusy(key, times, second)) return null;
    const watched = { hash, busy, history: newHistory(copyFrom) };
    this.#keys.set(key, watched);
    return watched;
  }

  #hasBecomeBusy(key: string, times: number, second: number): boolean {
    const minute = Math.floor(second / 60);
    if (minute !== this.#minute || this.#strangers.size > STRANGERS) this.#strangers.clear();
    this.#minute = minute;
    const reads = (this.#strangers.get(key) ?? 0) + times;
    this.#strangers.set(key, reads);
    return reads >= BUSY_IN_A_MINUTE;
  }

  /** First what is too old goes, then every other key, then the oldest quarter of the window. */
  #shorten(now: number): void {
    this.#forgetBefore(now - this.#horizon);
    while (this.#used > this.#budget * ROOM && this.#keys.size > FEWEST_KEYS) this.#watchHalf();
    while (this.#used > this.#budget * ROOM && now - this.#since > 2)
      this.#forgetBefore(this.#since + Math.ceil((now - this.#since) / 4));
  }

  #watchHalf(): void {
    this.#threshold /= 2;
    const ranked = [...this.#keys].map(([key, watched]) => ({
      key,
      watched,
      reads: readsOf(watched.history),
    }));
    ranked.sort((one, other) => other.reads - one.reads);
    for (const [rank, { key, watched }] of ranked.entries()) {
      watched.busy = rank < BUSIEST;
      if (!watched.busy && watched.hash >= this.#threshold) this.#keys.delete(key);
    }
    this.#recount();
  }

  /** A burst of many keys made the sample small, and is over: the window begins anew with more keys. */
  #widen(now: number): void {
    if (this.#threshold === ALL_KEYS || this.#used > this.#budget * SPARSE) return;
    this.#threshold = Math.min(ALL_KEYS, this.#threshold * 4);
    this.#keys.clear();
    this.#total = newHistory(null);
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

/** FNV-1a with a final mix: even keys that differ in one letter fall far apart. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

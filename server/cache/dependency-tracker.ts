import type { Resource } from './resources.ts';
import type { Validity } from './response-validity.ts';

/** One piece of data that a page was made of. */
export interface Dependency {
  resource: Resource;
  key: string;
  /** Another value gets another version. */
  version: number;
}

/** What a read of the cache found. */
export type ReadState = 'hit' | 'miss' | 'stale';

/** Why a reader waited for a load: nothing was there, or what was there was too old. The words are RFC 9211's. */
export type Forward = 'miss' | 'stale';

/** How the data of one response was read: keys of what was past its ttl, and of what a load brought meanwhile. */
export interface ReadStates {
  stale: ReadonlySet<string>;
  loaded: ReadonlySet<string>;
}

const RANK: Record<ReadState, number> = { hit: 0, stale: 1, miss: 2 };

/** What one page or answer is made of, and what the cache had to do for it. */
export class DependencyTracker implements ReadStates {
  readonly dependencies: Dependency[] = [];
  readonly stale = new Set<string>();
  readonly loaded = new Set<string>();
  #state: ReadState = 'hit';
  #forward: Forward | null = null;
  #freshUntil = Number.POSITIVE_INFINITY;
  #complete = true;
  #validity: Validity | null = null;
  #denied: string | null = null;

  /** False when secondary data could not be had: the page is then short-lived. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Null where the reader waited for no load. */
  get forward(): Forward | null {
    return this.#forward;
  }

  /** Called by the cache for each answer. `freshUntil` in monotonic milliseconds. */
  record(dependency: Dependency, state: ReadState, freshUntil: number): void {
    this.dependencies.push(dependency);
    if (state === 'stale') this.stale.add(dependency.key);
    if (state === 'miss') this.loaded.add(dependency.key);
    if (RANK[state] > RANK[this.#state]) this.#state = state;
    this.#freshUntil = Math.min(this.#freshUntil, freshUntil);
  }

  /** Called by the cache before the reader waits for a load, whether or not it will bring anything. */
  waits(reason: Forward): void {
    if (this.#forward !== 'miss') this.#forward = reason;
  }

  /** Key of an answer that the upstream says does not exist; null where there is none. */
  get denied(): string | null {
    return this.#denied;
  }

  /** Called by the cache for such an answer. */
  deny(key: string): void {
    this.#denied = key;
  }

  /** Called when a block of the page was left out. */
  missed(): void {
    this.#complete = false;
  }

  /** Called by a build whose result depends on more than its data, such as the time: the shortest validity counts. */
  limitValidity(validity: Validity): void {
    const others = this.#validity;
    this.#validity = others ? () => Math.min(others(), validity()) : validity;
  }

  /** Null where the data alone decide. */
  get validity(): Validity | null {
    return this.#validity;
  }

  /** The worst of what was found, and how long all of it stays fresh. */
  freshness(now: number): { state: ReadState; freshForMs: number } {
    const freshForMs = this.dependencies.length === 0 ? NO_DATA_FRESH_MS : this.#freshUntil - now;
    return { state: this.#state, freshForMs: Math.min(freshForMs, this.#validity?.() ?? freshForMs) };
  }
}

/** A page that needs no data at all never ages, and is looked at once in an hour all the same. */
export const NO_DATA_FRESH_MS = 3_600_000;

import type { Resource } from '#shared/models/resources.ts';
import type { Validity } from './response-validity.ts';

/** A cached value that a response was built from. */
export interface Dependency {
  resource: Resource;
  key: string;
  /** Changes with the value. */
  version: number;
}

/** What a read of the cache found. */
export type ReadState = 'hit' | 'miss' | 'stale';

/** Why a reader waited for a load, in the words of RFC 9211: nothing was cached, or it was too old. */
export type Forward = 'miss' | 'stale';

/** Keys of the dependencies of one response that were stale, and of those that it had to load. */
export interface ReadStates {
  stale: ReadonlySet<string>;
  loaded: ReadonlySet<string>;
}

/** Interval in which a response without dependencies is checked, although it cannot become stale. */
export const NO_DATA_FRESH_MS = 3_600_000;

const RANK: Record<ReadState, number> = { hit: 0, stale: 1, miss: 2 };

/** Records what one response is built from, and what the cache did for it. */
export class DependencyTracker implements ReadStates {
  readonly dependencies: Dependency[] = [];
  readonly stale = new Set<string>();
  readonly loaded = new Set<string>();
  #state: ReadState = 'hit';
  #forward: Forward | null = null;
  #freshUntil = Number.POSITIVE_INFINITY;
  #complete = true;
  #validity: Validity | null = null;
  #absentKey: string | null = null;

  /** False if an optional section is missing: the response is then kept only for seconds. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Null where the reader waited for no load. */
  get forward(): Forward | null {
    return this.#forward;
  }

  /** Called by the cache for each value. `freshUntil` in monotonic milliseconds. */
  record(dependency: Dependency, state: ReadState, freshUntil: number): void {
    this.dependencies.push(dependency);
    if (state === 'stale') this.stale.add(dependency.key);
    if (state === 'miss') this.loaded.add(dependency.key);
    if (RANK[state] > RANK[this.#state]) this.#state = state;
    this.#freshUntil = Math.min(this.#freshUntil, freshUntil);
  }

  /** Called by the cache before the reader waits for a load. */
  recordWait(reason: Forward): void {
    if (this.#forward !== 'miss') this.#forward = reason;
  }

  /** Key that is absent upstream; null where there was none. */
  get absentKey(): string | null {
    return this.#absentKey;
  }

  /** Called by the cache for a key that is absent upstream. */
  recordAbsent(key: string): void {
    this.#absentKey = key;
  }

  /** Called where an optional section is left out. */
  markIncomplete(): void {
    this.#complete = false;
  }

  /** Called by a build whose result depends on more than its data, such as the time. The shortest validity counts. */
  limitValidity(validity: Validity): void {
    const others = this.#validity;
    this.#validity = others ? () => Math.min(others(), validity()) : validity;
  }

  /** Null where the response depends on its data alone. */
  get validity(): Validity | null {
    return this.#validity;
  }

  /** Returns the worst state found, and for how long all dependencies stay fresh. */
  freshness(now: number): { state: ReadState; freshForMs: number } {
    const freshForMs = this.dependencies.length === 0 ? NO_DATA_FRESH_MS : this.#freshUntil - now;
    return { state: this.#state, freshForMs: Math.min(freshForMs, this.#validity?.() ?? freshForMs) };
  }
}

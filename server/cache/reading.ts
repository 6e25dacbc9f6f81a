import type { Resource } from './resources.ts';

/** One piece of data that a page was made of. */
export interface Dependency {
  resource: Resource;
  key: string;
  /** Another value gets another version. */
  version: number;
}

/** What a read of the cache found. */
export type ReadState = 'hit' | 'miss' | 'stale';

const RANK: Record<ReadState, number> = { hit: 0, stale: 1, miss: 2 };

/** What one page or answer is made of, and what the cache had to do for it. */
export class Reading {
  readonly dependencies: Dependency[] = [];
  #state: ReadState = 'hit';
  #freshUntil = Number.POSITIVE_INFINITY;
  #complete = true;

  /** False when secondary data could not be had: the page is then short-lived. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Called by the cache for each answer. `freshUntil` in monotonic milliseconds. */
  record(dependency: Dependency, state: ReadState, freshUntil: number): void {
    this.dependencies.push(dependency);
    if (RANK[state] > RANK[this.#state]) this.#state = state;
    this.#freshUntil = Math.min(this.#freshUntil, freshUntil);
  }

  /** Called when a block of the page was left out. */
  missed(): void {
    this.#complete = false;
  }

  /** The worst of what was found, and how long all of it stays fresh. A reading of nothing never ages. */
  freshness(now: number): { state: ReadState; freshForMs: number } {
    return { state: this.#state, freshForMs: Math.min(this.#freshUntil - now, MAX_FRESH_MS) };
  }
}

/** A page that needs no data at all is looked at once in an hour all the same. */
const MAX_FRESH_MS = 3_600_000;

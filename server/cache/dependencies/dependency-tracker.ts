import type { Resource } from '#shared/models/resources-and-policies.ts';

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

/** Records what one response is built from, and what the cache did for it. */
export class DependencyTracker implements ReadStates {
  readonly dependencies: Dependency[] = [];
  /** Keys whose read has begun. */
  readonly keys = new Set<string>();
  readonly stale = new Set<string>();
  readonly loaded = new Set<string>();
  /** Null where the reader waited for no load. */
  forward: Forward | null = null;
  /** Key that is absent upstream; null where there was none. */
  absentKey: string | null = null;
  /** Loads of the sections that are missing. */
  readonly late: Promise<unknown>[] = [];
  #freshUntil = Number.POSITIVE_INFINITY;

  /** Called by the cache for each value. `freshUntil` in monotonic milliseconds. */
  record(dependency: Dependency, state: ReadState, freshUntil: number): void {
    this.dependencies.push(dependency);
    if (state === 'stale') this.stale.add(dependency.key);
    if (state === 'miss') this.loaded.add(dependency.key);
    this.#freshUntil = Math.min(this.#freshUntil, freshUntil);
  }

  /** Called by the cache before the reader waits for a load. */
  recordWait(reason: Forward): void {
    if (this.forward !== 'miss') this.forward = reason;
  }

  /** Called where an optional section is left out. `loading`: its load, which may still succeed. */
  markIncomplete(loading: Promise<unknown>): void {
    this.late.push(loading);
  }

  /** False if an optional section is missing: the response is then soon built again. */
  get complete(): boolean {
    return this.late.length === 0;
  }

  freshForMs(now: number): number {
    return this.dependencies.length === 0 ? NO_DATA_FRESH_MS : this.#freshUntil - now;
  }
}

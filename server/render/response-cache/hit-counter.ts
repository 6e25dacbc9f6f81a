import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Dependency } from '#server/cache/dependencies/dependency-tracker.ts';

/** A cached response whose hits are counted. */
export interface CountedResponse {
  dependencies: readonly Dependency[];
  /** Keys of those that are stale. Hits are credited before the set changes. */
  stale: ReadonlySet<string>;
  /** Hits since the last crediting. */
  hits: number;
}

/** Responses that are credited at once, so that no request waits for a long crediting. */
const MAX_UNCREDITED = 500;

const NONE: ReadonlySet<string> = new Set();

/**
 * Counts hits of cached responses at the cost of an addition. Once a second, and before the state of a response's data
 * changes, they are credited to the entries of the content cache that the responses were built from.
 */
export function createHitCounter(content: Pick<ContentCache, 'countReads'>) {
  let uncredited: CountedResponse[] = [];
  /** In which they were counted. */
  let second = Number.NEGATIVE_INFINITY;

  function creditOne(response: CountedResponse): void {
    if (response.hits === 0) return;
    const states = { stale: response.stale, loaded: NONE };
    content.countReads(response.dependencies, states, response.hits, second * 1000);
    response.hits = 0;
  }

  function credit(): void {
    const responses = uncredited;
    uncredited = [];
    for (const response of responses) creditOne(response);
  }

  return {
    /** Counts a hit. `now`: monotonic milliseconds. */
    count(response: CountedResponse, now: number): void {
      if (now >= second * 1000 + 1000 || uncredited.length >= MAX_UNCREDITED) {
        credit();
        second = Math.floor(now / 1000);
      }
      if (response.hits++ === 0) uncredited.push(response);
    },
    creditOne,
    /** Credits all hits. To be called before somebody reads the counts. */
    credit,
  };
}

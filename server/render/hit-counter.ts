import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Dependency } from '#server/cache/dependency-tracker.ts';

/** A cached response whose readers are counted. */
export interface ReadResponse {
  dependencies: readonly Dependency[];
  /** Keys of those that are past their ttl. Readers are credited before it becomes another set. */
  stale: ReadonlySet<string>;
  /** Since the last crediting. */
  readers: number;
}

/** Answers credited at once, so that no reader waits for the others' bookkeeping. */
const AT_ONCE = 500;

const NONE: ReadonlySet<string> = new Set();

/**
 * Counts the readers of answers that stand, for a number added: once a second, and before the state of an answer's
 * data changes, they are credited to the data that the answers are made of.
 */
export function createHitCounter(content: Pick<ContentCache, 'countReads'>) {
  let read: ReadResponse[] = [];
  let second = Number.NEGATIVE_INFINITY;

  function creditOne(response: ReadResponse): void {
    if (response.readers === 0) return;
    content.countReads(
      response.dependencies,
      { stale: response.stale, loaded: NONE },
      response.readers,
      second * 1000,
    );
    response.readers = 0;
  }

  function credit(): void {
    const responses = read;
    read = [];
    for (const response of responses) creditOne(response);
  }

  return {
    /** `now` in monotonic milliseconds. */
    count(response: ReadResponse, now: number): void {
      if (now >= second * 1000 + 1000 || read.length >= AT_ONCE) {
        credit();
        second = Math.floor(now / 1000);
      }
      if (response.readers++ === 0) read.push(response);
    },
    /** What was counted of one answer since. */
    creditOne,
    /** What was counted since, before somebody looks. */
    credit,
  };
}

export type HitCounter = ReturnType<typeof createHitCounter>;

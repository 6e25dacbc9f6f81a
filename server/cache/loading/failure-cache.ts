import { LRUCache } from 'lru-cache';
import { Absent } from '#server/cache/cache-query.ts';
import type { Clock } from '#server/time.ts';

/** Time to live of "does not exist" (negative caching). */
export const NEGATIVE_MS = 15_000;
/** A load is not repeated for this long after a failure, so that not every reader calls a failing upstream. */
export const FAILURE_MS = 1_000;
/** After a failure this recent the next load is likely to fail too: readers of an old value do not wait for it. */
const FAILING_MS = 10_000;
/** Bound of its own, so that scanners' requests evict no entry of the content cache. */
const MAX_KEYS = 5_000;

interface Failure {
  at: number;
  /** `Absent` where the key is absent upstream. */
  error: unknown;
  tookMs: number;
}

/** Creates the failure cache: the last load of keys whose load failed, or that are absent upstream. */
export function createFailureCache(clock: Clock) {
  const failures = new LRUCache<string, Failure>({ max: MAX_KEYS });

  function failureWithin(key: string, ms: number): Failure | null {
    const failure = failures.peek(key);
    const isRecent = failure && !(failure.error instanceof Absent) && clock.monotonic() - failure.at < ms;
    return isRecent ? failure : null;
  }

  /** Returns for how much longer a key counts as absent, in milliseconds; 0 where it does not. */
  function absentForMs(key: string): number {
    const failure = failures.get(key);
    return failure?.error instanceof Absent ? Math.max(0, failure.at + NEGATIVE_MS - clock.monotonic()) : 0;
  }

  return {
    remember: (key: string, error: unknown, tookMs: number): void =>
      void failures.set(key, { at: clock.monotonic(), error, tookMs }),
    forget: (key: string): void => void failures.delete(key),
    forgetMatching(matches: (key: string) => boolean): void {
      for (const key of [...failures.keys()]) if (matches(key)) failures.delete(key);
    },
    isAbsent: (key: string): boolean => absentForMs(key) > 0,
    absentForMs,
    /** Returns the last failure of any age. Does not count as use of it. */
    lastFailure: (key: string): Failure | null => failureWithin(key, Number.POSITIVE_INFINITY),
    /** Returns a failure so recent that the load is not repeated. */
    recentFailure: (key: string): Failure | null => failureWithin(key, FAILURE_MS),
    isFailing: (key: string): boolean => failureWithin(key, FAILING_MS) !== null,
    /** Whether the key's load is failing and took at least `ms` to fail. */
    hasFailedSlowly: (key: string, ms: number): boolean =>
      (failureWithin(key, FAILING_MS)?.tookMs ?? 0) >= ms,
  };
}

import { LRUCache } from 'lru-cache';

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
  error: unknown;
}

/** Creates the failure cache: keys whose load failed, and keys that are absent upstream. */
export function createFailureCache(clock: () => number) {
  /** By key: when it no longer counts as absent. */
  const absent = new LRUCache<string, number>({ max: MAX_KEYS });
  const failures = new LRUCache<string, Failure>({ max: MAX_KEYS });

  /** Returns for how much longer a key counts as absent, in milliseconds; 0 where it does not. */
  function absentForMs(key: string): number {
    const until = absent.get(key);
    return until === undefined ? 0 : Math.max(0, until - clock());
  }

  return {
    rememberFailure(key: string, error: unknown): void {
      failures.set(key, { at: clock(), error });
    },
    rememberAbsent: (key: string): void => void absent.set(key, clock() + NEGATIVE_MS),
    /** Called after a successful load. */
    forget(key: string): void {
      failures.delete(key);
      absent.delete(key);
    },
    forgetMatching(matches: (key: string) => boolean): void {
      for (const known of [absent, failures])
        for (const key of [...known.keys()]) if (matches(key)) known.delete(key);
    },
    isAbsent: (key: string): boolean => absentForMs(key) > 0,
    absentForMs,
    /** Returns the last failure of any age. Does not count as use of it. */
    lastFailure: (key: string): Failure | null => failures.peek(key) ?? null,
    /** Returns a failure so recent that the load is not repeated. */
    recentFailure(key: string): Failure | null {
      const failure = failures.peek(key);
      return failure && clock() - failure.at < FAILURE_MS ? failure : null;
    },
    isFailing(key: string): boolean {
      const failure = failures.peek(key);
      return failure !== undefined && clock() - failure.at < FAILING_MS;
    },
    /** Keys whose last load failed, the latest first. */
    failedKeys: (): Iterable<string> => failures.keys(),
  };
}

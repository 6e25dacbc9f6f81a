import { LRUCache } from 'lru-cache';

/** An upstream's no is believed this long. */
export const NEGATIVE_MS = 15_000;
/** A failure is remembered this long, so that a broken upstream is not asked by every reader. */
export const FAILURE_MS = 1_000;
/** A load that failed this recently is likely to fail again: readers with an old copy do not wait for the next. */
const FAILING_MS = 10_000;
/** Kept apart from the entries, so that paths of scanners evict nothing that readers want. */
const REMEMBERED = 5_000;

interface Failure {
  at: number;
  error: unknown;
}

/** What is known of loads that gave nothing: failures, and the upstream's word that something does not exist. */
export function createFailureCache(clock: () => number) {
  const denials = new LRUCache<string, { until: number; tags: string[] }>({ max: REMEMBERED });
  const failures = new LRUCache<string, Failure>({ max: REMEMBERED });

  /** How much longer a no is believed, in milliseconds; 0 where there is none. */
  function deniedFor(key: string): number {
    const until = denials.get(key)?.until;
    return until === undefined ? 0 : Math.max(0, until - clock());
  }

  return {
    failed(key: string, error: unknown): void {
      failures.set(key, { at: clock(), error });
    },
    /** `tags`: what the denial can be purged by. */
    denied(key: string, tags: string[]): void {
      denials.set(key, { until: clock() + NEGATIVE_MS, tags });
    },
    /** Loaded: the past is forgotten. */
    forget(key: string): void {
      failures.delete(key);
      denials.delete(key);
    },
    forgetDenials(meant: (key: string, tags: readonly string[]) => boolean): void {
      for (const [key, { tags }] of [...denials.entries()]) if (meant(key, tags)) denials.delete(key);
    },
    isDenied: (key: string): boolean => deniedFor(key) > 0,
    deniedFor,
    /** The last failure, however long ago. Looking does not keep it in memory longer. */
    lastFailure: (key: string): Failure | null => failures.peek(key) ?? null,
    /** A failure that stands in for another attempt. */
    recentFailure(key: string): Failure | null {
      const failure = failures.peek(key);
      return failure && clock() - failure.at < FAILURE_MS ? failure : null;
    },
    failedLately(key: string): boolean {
      const failure = failures.peek(key);
      return failure !== undefined && clock() - failure.at < FAILING_MS;
    },
    /** Keys whose last load failed, the latest first. */
    failedKeys: (): Iterable<string> => failures.keys(),
  };
}

import { LRUCache } from 'lru-cache';
import type { PurgeMatch } from './cache-request.ts';

/** An upstream's no is believed this long. */
export const NEGATIVE_MS = 15_000;
/** A failure is remembered this long, so that a broken upstream is not asked by every reader. */
export const FAILURE_MS = 1_000;
/** A load that failed this recently is likely to fail again: readers with an old copy do not wait for the next one. */
export const FAILING_MS = 10_000;

/** Either memory holds this many keys, apart from the entries: a crawl of wrong addresses costs no good copy. */
const REMEMBERED = 5_000;

/** Remembers what the upstream denied and what failed, by key. `clock`: monotonic milliseconds. */
export function createFailureMemory(clock: () => number) {
  const absent = new LRUCache<string, { until: number; tags: readonly string[] }>({ max: REMEMBERED });
  const failures = new LRUCache<string, { at: number; error: unknown }>({ max: REMEMBERED });

  function failedWithin(key: string, ms: number): { error: unknown } | null {
    const failure = failures.peek(key);
    return failure && clock() - failure.at < ms ? failure : null;
  }

  return {
    /** `tags`: what the denial can be purged by. */
    deny(key: string, tags: readonly string[]): void {
      absent.set(key, { until: clock() + NEGATIVE_MS, tags });
    },
    isDenied(key: string): boolean {
      return clock() < (absent.get(key)?.until ?? 0);
    },
    fail(key: string, error: unknown): void {
      failures.set(key, { at: clock(), error });
    },
    /** The failure that stands for a new attempt. */
    recent: (key: string) => failedWithin(key, FAILURE_MS),
    /** Whether the key's upstream is in trouble: a new attempt may be made, but nobody should wait for it. */
    isFailing: (key: string) => failedWithin(key, FAILING_MS) !== null,
    /** The last failure since the last success, however old, or null. */
    last: (key: string) => failures.peek(key) ?? null,
    /** A load succeeded. */
    clear(key: string): void {
      absent.delete(key);
      failures.delete(key);
    },
    /** Forgets denials that a purge takes: what was published since is found at once. */
    purge(matches: PurgeMatch): void {
      for (const [key, { tags }] of [...absent.entries()]) if (matches(tags)) absent.delete(key);
    },
  };
}

import type { IBreaker } from 'cockatiel';

/** Threshold of failures: `share` (0 to 1) of at least `leastCalls` calls within `windowMs`. */
export interface FailureRule {
  share: number;
  leastCalls: number;
  windowMs: number;
}

interface Bucket {
  start: number;
  calls: number;
  failures: number;
}

const BUCKETS = 10;

/** Counts calls and failures of the last `windowMs` on a monotonic clock (ms), which cockatiel's own sampling does not. */
export function createRollingWindow(rule: FailureRule, clock: () => number): IBreaker {
  let buckets: Bucket[] = [];

  function note(failures: 0 | 1): void {
    const now = clock();
    buckets = buckets.filter(({ start }) => now - start < rule.windowMs);
    let last = buckets.at(-1);
    if (last === undefined || now - last.start >= rule.windowMs / BUCKETS) {
      last = { start: now, calls: 0, failures: 0 };
      buckets.push(last);
    }
    last.calls += 1;
    last.failures += failures;
  }

  function tooMany(): boolean {
    const calls = buckets.reduce((sum, bucket) => sum + bucket.calls, 0);
    const failures = buckets.reduce((sum, bucket) => sum + bucket.failures, 0);
    return calls >= rule.leastCalls && failures >= calls * rule.share;
  }

  return {
    state: null,
    success: () => note(0),
    failure: () => {
      note(1);
      const open = tooMany();
      if (open) buckets = [];
      return open;
    },
  };
}

import { type KeyHistory, RUN } from '#server/cache/access-history/key-history.ts';
import type { Policy } from '#server/cache/resources.ts';

/** What a policy would have made of a key's reads. Ages in seconds. */
export interface Outcome {
  reads: number;
  /** Reads that would have waited for the upstream. */
  waits: number;
  calls: number;
  /** Of the served copies, added up: how long before the read the upstream had given them. */
  ageSum: number;
  ageMax: number;
  /** Reads that would have got a value which the upstream had replaced by then. */
  outdated: number;
}

/** Several keys together. */
export function sumOf(outcomes: readonly Outcome[]): Outcome {
  const sum = { reads: 0, waits: 0, calls: 0, ageSum: 0, ageMax: 0, outdated: 0 };
  for (const { reads, waits, calls, ageSum, ageMax, outdated } of outcomes) {
    sum.reads += reads;
    sum.waits += waits;
    sum.calls += calls;
    sum.ageSum += ageSum;
    sum.ageMax = Math.max(sum.ageMax, ageMax);
    sum.outdated += outdated;
  }
  return sum;
}

/**
 * Goes through a key's past as the cache would have under `policy`. The reads of a run are spread evenly over it;
 * loads take no time; the jitter of the ttl is its mean.
 */
export function replayAccesses(history: KeyHistory, { ttl, swr }: Pick<Policy, 'ttl' | 'swr'>): Outcome {
  const outcome = sumOf([]);
  const { runs, cold, changes } = history;
  let copy = history.copyFrom;
  let coldAt = 0;

  function load(at: number): void {
    outcome.calls++;
    copy = at;
  }

  /** `count` reads from `first` on, `gap` apart, of the copy as it stands. */
  function serve(storedAt: number, first: number, count: number, gap: number): void {
    const last = first + (count - 1) * gap;
    outcome.ageSum += count * ((first + last) / 2 - storedAt);
    outcome.ageMax = Math.max(outcome.ageMax, last - storedAt);
    const change = firstAfter(changes, storedAt);
    if (change !== null && last >= change)
      outcome.outdated += Math.min(count, Math.floor((last - change) / gap) + 1);
  }

  for (let i = 0; i < runs.length; i += RUN) {
    const [second = 0, duration = 0, count = 0] = runs.slice(i, i + RUN);
    const gap = duration / count;
    if (cold[coldAt] === second) {
      copy = null;
      coldAt++;
    }
    outcome.reads += count;
    for (let done = 0; done < count; ) {
      const at = second + (done + 0.5) * gap;
      const age = copy === null ? Number.POSITIVE_INFINITY : at - copy;
      if (copy !== null && age < ttl) {
        const fresh = Math.min(count - done, Math.max(1, Math.ceil((copy + ttl - at) / gap)));
        serve(copy, at, fresh, gap);
        done += fresh;
        continue;
      }
      if (copy !== null && age < ttl + swr) serve(copy, at, 1, gap);
      else outcome.waits++;
      load(at);
      done++;
    }
  }
  return outcome;
}

/** The first of ascending moments after `at`. */
function firstAfter(moments: readonly number[], at: number): number | null {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((moments[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return moments[low] ?? null;
}

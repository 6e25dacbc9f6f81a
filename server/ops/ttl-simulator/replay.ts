import type { KeyAccesses } from '#server/cache/access-ring.ts';
import type { Policy } from '#shared/models/resources.ts';

/** What a policy would have done to the reads of a key. Ages in seconds. */
export interface Outcome {
  reads: number;
  /** Reads that would have waited for the upstream. */
  waits: number;
  upstreamCalls: number;
  /** The ages of the served values, added up. */
  ageSum: number;
  ageMax: number;
  /** Reads that would have got a value which the upstream had already replaced. */
  outdated: number;
}

/** Adds up the outcomes of several keys. */
export function sumOf(outcomes: readonly Outcome[]): Outcome {
  const sum = { reads: 0, waits: 0, upstreamCalls: 0, ageSum: 0, ageMax: 0, outdated: 0 };
  for (const { reads, waits, upstreamCalls, ageSum, ageMax, outdated } of outcomes) {
    sum.reads += reads;
    sum.waits += waits;
    sum.upstreamCalls += upstreamCalls;
    sum.ageSum += ageSum;
    sum.ageMax = Math.max(sum.ageMax, ageMax);
    sum.outdated += outdated;
  }
  return sum;
}

/** Golden ratio: successive multiples are spread evenly over a second. */
const PHASE_STEP = 0.618_034;

/**
 * Replays the recorded reads of a key under a policy. Where in its second a read came is not recorded: reads of a second
 * are spread evenly over it, from a phase that differs from second to second. Loads take no time; the jitter of the TTL is
 * its mean. `since`: the start of the record. What its first read found had been stored before.
 */
export function replayAccesses(
  { reads, changes }: KeyAccesses,
  { ttl, swr }: Pick<Policy, 'ttl' | 'swr'>,
  since: number,
): Outcome {
  const outcome = sumOf([]);
  let storedAt: number | null = since;
  let phase = 0;

  function load(at: number): void {
    outcome.upstreamCalls++;
    storedAt = at;
  }

  /** Counts `count` reads from `first` on, `gap` apart, of the value stored at `from`. */
  function serve(from: number, first: number, count: number, gap: number): void {
    const last = first + (count - 1) * gap;
    outcome.ageSum += count * ((first + last) / 2 - from);
    outcome.ageMax = Math.max(outcome.ageMax, last - from);
    const change = firstAfter(changes, from);
    if (change !== null && last >= change)
      outcome.outdated += Math.min(count, Math.floor((last - change) / gap) + 1);
  }

  for (const { second, count, cold } of reads) {
    phase = (phase + PHASE_STEP) % 1;
    const gap = 1 / count;
    if (cold) storedAt = null;
    outcome.reads += count;
    for (let done = 0; done < count; ) {
      const at = second + (done + phase) * gap;
      if (storedAt !== null && at - storedAt < ttl) {
        const fresh = Math.min(count - done, Math.max(1, Math.ceil((storedAt + ttl - at) / gap)));
        serve(storedAt, at, fresh, gap);
        done += fresh;
        continue;
      }
      if (storedAt !== null && at - storedAt < ttl + swr) serve(storedAt, at, 1, gap);
      else outcome.waits++;
      load(at);
      done++;
    }
  }
  return outcome;
}

/** Returns the first of ascending moments after `at`, or null. */
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

import { setImmediate } from 'node:timers/promises';
import type { KeyAccesses, RecordedAccesses } from '#server/cache/access-ring.ts';
import type { Candidate } from '#shared/models/ops/ops-api-types.ts';
import type { Policy } from '#shared/models/resources-and-policies.ts';

type SimulatedPolicy = Pick<Policy, 'ttl' | 'swr'>;

/**
 * Replays the sampled keys under a policy. Calls and waits are those of all keys; staleness is that of sampled reads. Requests
 * that have come meanwhile are served before.
 */
export async function simulateTtl(recorded: RecordedAccesses, policy: SimulatedPolicy): Promise<Candidate> {
  await setImmediate();
  const { since, until, reads } = recorded;
  const outcomes = recorded.keys.map((key) => replayAccesses(key, policy, since));
  const sum = (value: (outcome: Outcome) => number) => outcomes.reduce((all, one) => all + value(one), 0);
  const sampledReads = sum((outcome) => outcome.reads);
  const minutes = (until - since) / 60;
  if (sampledReads === 0 || minutes <= 0) return { ...UNKNOWN, ttl: policy.ttl };
  const ofAllKeys = (values: number[]) => Math.min(reads, Math.max(0, estimateSum(recorded, values)));
  const calls = ofAllKeys(outcomes.map(({ upstreamCalls }) => upstreamCalls));
  return {
    ttl: policy.ttl,
    hitRatio: rounded(1 - ofAllKeys(outcomes.map(({ waits }) => waits)) / reads),
    upstreamCallsPerMinute: rounded(calls / minutes),
    meanStalenessSeconds: rounded(sum(({ ageSum }) => ageSum) / sampledReads),
    maxStalenessSeconds: rounded(outcomes.reduce((most, { ageMax }) => Math.max(most, ageMax), 0)),
    outdatedRatio: rounded(sum(({ outdated }) => outdated) / sampledReads),
  };
}

/** Added to each square, as a share of it, so that periods which say nearly the same get no large slopes (ridge regression). */
const RIDGE = 0.01;
/** Below this share of a value's squares the periods do not explain it, and correct nothing. */
const MIN_EXPLAINED = 0.9;

/**
 * Estimates the sum of a value over all keys from its values of the sampled keys (regression estimator of survey sampling).
 * A sample by the hash has more or fewer of the few popular keys than its share: scaled up alone, calls were off by up to
 * 36 %. In how many seconds, or longer periods, keys were read is known of all keys, and what a TTL costs goes with it. So
 * what the sample misses of those sums is added, times the slopes of the value over them.
 */
function estimateSum({ keys, periods, sampleRate }: RecordedAccesses, values: readonly number[]): number {
  const sum = (of: (nth: number) => number) => keys.reduce((total, _, nth) => total + of(nth), 0);
  const scaledUp = (column: readonly number[]) => sum((nth) => column[nth] ?? 0) / sampleRate;
  if (sampleRate === 1) return scaledUp(values);
  const product = (one: readonly number[], other: readonly number[]) =>
    sum((nth) => (one[nth] ?? 0) * (other[nth] ?? 0));
  const columns = periods.map((_, nth) => keys.map((key) => key.periods[nth] ?? 0));
  const squares = columns.map((one, row) =>
    columns.map((other, column) => product(one, other) * (row === column ? 1 + RIDGE : 1)),
  );
  const products = columns.map((one) => product(one, values));
  const slopes = solve(squares, products);
  const explained = products.reduce((total, one, nth) => total + one * (slopes[nth] ?? 0), 0);
  if (explained < MIN_EXPLAINED * product(values, values)) return scaledUp(values);
  return columns.reduce(
    (total, column, nth) => total + (slopes[nth] ?? 0) * ((periods[nth] ?? 0) - scaledUp(column)),
    scaledUp(values),
  );
}

/** Solves linear equations of a positive definite matrix by Gaussian elimination, which then needs no pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, nth) => [...row, right[nth] ?? 0]);
  for (const [nth, row] of rows.entries()) {
    const pivot = row[nth] ?? 1;
    for (const [at, value] of row.entries()) row[at] = value / pivot;
    for (const other of rows) {
      const factor = other[nth] ?? 0;
      if (other !== row)
        for (const [at, value] of row.entries()) other[at] = (other[at] ?? 0) - factor * value;
    }
  }
  return rows.map((row) => row.at(-1) ?? 0);
}

const UNKNOWN = {
  hitRatio: null,
  upstreamCallsPerMinute: null,
  meanStalenessSeconds: null,
  maxStalenessSeconds: null,
  outdatedRatio: null,
};

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** What a policy would have done to the reads of a key. Ages in seconds. */
interface Outcome {
  reads: number;
  waits: number;
  upstreamCalls: number;
  ageSum: number;
  ageMax: number;
  /** Reads that would have got a value which the upstream had already replaced. */
  outdated: number;
}

/** Golden ratio: successive multiples are spread evenly over a second. */
const PHASE_STEP = 0.618_034;

/**
 * Replays the recorded reads of a key under a policy. Where in its second a read came is not recorded: reads of a second
 * are spread evenly over it, from a phase that differs from second to second. Loads take no time; the jitter of the TTL is
 * its mean. `since`: the start of the record. What its first read found had been stored before.
 */
function replayAccesses(
  { reads, changes }: KeyAccesses,
  { ttl, swr }: SimulatedPolicy,
  since: number,
): Outcome {
  const outcome: Outcome = { reads: 0, waits: 0, upstreamCalls: 0, ageSum: 0, ageMax: 0, outdated: 0 };
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

import { setImmediate } from 'node:timers/promises';
import type { RecordedAccess } from '#server/cache/access-history/resource-history.ts';
import type { Policy } from '#server/cache/default-policies.ts';
import type { Candidate } from '#shared/models/ops/ops-api-types.ts';
import { type Outcome, replayAccesses, sumOf } from './replay.ts';

/** A policy, and what it would have done to the recorded reads. */
export interface SimulatedPolicy {
  policy: Policy;
  effect: Candidate;
}

/** Simulates a policy. Requests that have come meanwhile are served before. */
export async function simulatePolicy(recorded: RecordedAccess, policy: Policy): Promise<SimulatedPolicy> {
  await setImmediate();
  return { policy, effect: simulateTtl(recorded, policy) };
}

/**
 * Replays recorded reads under a policy. The busiest keys are replayed all; of the others a sample, whose upstream calls
 * are scaled up by keys, and whose staleness by reads.
 */
export function simulateTtl(accessHistory: RecordedAccess, policy: Policy): Candidate {
  const { since, until, reads, sampleRate } = accessHistory;
  const busy = sumOf(accessHistory.busiest.map((history) => replayAccesses(history, policy, since)));
  const keys = accessHistory.sample.map((history) => replayAccesses(history, policy, since));
  const sample = sumOf(keys);
  const minutes = (until - since) / 60;
  if (busy.reads + sample.reads === 0 || minutes <= 0) return { ...UNKNOWN, ttl: policy.ttl };
  const otherReads = Math.max(0, reads - busy.reads);
  const readerWeight = sample.reads === 0 ? 0 : otherReads / sample.reads;
  const ofReaders = (what: 'ageSum' | 'outdated') => (busy[what] + sample[what] * readerWeight) / reads;
  const ofKeys = (what: 'waits' | 'upstreamCalls') =>
    busy[what] + estimated(keys, what, sampleRate, otherReads);
  return {
    ttl: policy.ttl,
    hitRatio: rounded(1 - Math.min(1, ofKeys('waits') / reads)),
    // Loads take no time: each read that finds no fresh entry is one call.
    freshRatio: rounded(1 - Math.min(1, ofKeys('upstreamCalls') / reads)),
    upstreamCallsPerMinute: rounded(ofKeys('upstreamCalls') / minutes),
    meanStalenessSeconds: rounded(ofReaders('ageSum')),
    maxStalenessSeconds: rounded(Math.max(busy.ageMax, sample.ageMax)),
    outdatedRatio: rounded(ofReaders('outdated')),
  };
}

/**
 * Estimates the total of all keys from a sample: scaled by the share of keys, then corrected for reads that the sample
 * has too many or too few of, by how much a key's cost grows with its reads (a regression estimator).
 */
function estimated(
  keys: readonly Outcome[],
  what: 'waits' | 'upstreamCalls',
  sampleRate: number,
  allReads: number,
): number {
  const reads = mean(keys.map((key) => key.reads));
  const cost = mean(keys.map((key) => key[what]));
  let together = 0;
  let spread = 0;
  for (const key of keys) {
    together += (key.reads - reads) * (key[what] - cost);
    spread += (key.reads - reads) ** 2;
  }
  const perRead = spread === 0 ? 0 : together / spread;
  const missing = allReads - (reads * keys.length) / sampleRate;
  return Math.max(0, (cost * keys.length) / sampleRate + perRead * missing);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

const UNKNOWN = {
  hitRatio: null,
  freshRatio: null,
  upstreamCallsPerMinute: null,
  meanStalenessSeconds: null,
  maxStalenessSeconds: null,
  outdatedRatio: null,
};

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

import { setImmediate } from 'node:timers/promises';
import type { RecordedAccesses } from '#server/cache/access-ring.ts';
import type { Policy } from '#server/cache/default-policies.ts';
import type { Candidate } from '#shared/models/ops/ops-api-types.ts';
import { replayAccesses, sumOf } from './replay.ts';

type SimulatedPolicy = Pick<Policy, 'ttl' | 'swr'>;

/** Simulates a policy. Requests that have come meanwhile are served before. */
export async function simulatePolicy(
  recorded: RecordedAccesses,
  policy: SimulatedPolicy,
): Promise<Candidate> {
  await setImmediate();
  return simulateTtl(recorded, policy);
}

/** Replays a sample of the keys under a policy. Upstream calls are scaled up by keys, staleness by reads. */
export function simulateTtl(recorded: RecordedAccesses, policy: SimulatedPolicy): Candidate {
  const { since, until, reads, sampleRate } = recorded;
  const sample = sumOf(recorded.keys.map((key) => replayAccesses(key, policy, since)));
  const minutes = (until - since) / 60;
  if (sample.reads === 0 || minutes <= 0) return { ...UNKNOWN, ttl: policy.ttl };
  const calls = sample.upstreamCalls / sampleRate;
  return {
    ttl: policy.ttl,
    hitRatio: rounded(1 - Math.min(1, sample.waits / sampleRate / reads)),
    // Loads take no time: each read that finds no fresh entry is one call.
    freshRatio: rounded(1 - Math.min(1, calls / reads)),
    upstreamCallsPerMinute: rounded(calls / minutes),
    meanStalenessSeconds: rounded(sample.ageSum / sample.reads),
    maxStalenessSeconds: rounded(sample.ageMax),
    outdatedRatio: rounded(sample.outdated / sample.reads),
  };
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

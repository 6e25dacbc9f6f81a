import { age, count, percent } from '#client/dashboard/elements/format.ts';
import { numeric } from '#client/dashboard/elements/metrics.tsx';
import type { Candidate, Comparison } from '#shared/models/ops/ops-api-types.ts';

/** The section of the docs that explains them. */
export const SIMULATED_TTLS = 'Simulated TTLs';

const roundedAge = (seconds: number | null) => age(seconds === null ? null : Math.round(seconds * 10) / 10);

/** What a TTL would have done to the recorded reads. */
export const SIMULATED = {
  ttl: numeric('TTL', ({ ttl }: Candidate) => ttl, age),
  hitRatio: numeric('Hit ratio', ({ hitRatio }: Candidate) => hitRatio, percent),
  fresh: numeric('Fresh', ({ freshRatio }: Candidate) => freshRatio, percent),
  upstream: numeric(
    'Upstream requests/min',
    (candidate: Candidate) => candidate.upstreamCallsPerMinute,
    count,
  ),
  meanAge: numeric('Mean age', (candidate: Candidate) => candidate.meanStalenessSeconds, roundedAge),
  maxAge: numeric('Maximum age', (candidate: Candidate) => candidate.maxStalenessSeconds, roundedAge),
  outdated: numeric('Outdated', ({ outdatedRatio }: Candidate) => outdatedRatio, percent),
};

type Recorded = Pick<Comparison, 'requests' | 'observedSeconds' | 'sampleRate'>;

/** Says what a simulation rests on. */
export function simulatedFrom({ requests, observedSeconds, sampleRate }: Recorded): string {
  const keys = sampleRate < 1 ? `: the busiest keys, and ${percent(sampleRate)} of the others` : '';
  return `Simulated from ${count(requests)} reads of the last ${age(Math.round(observedSeconds))}${keys}.`;
}

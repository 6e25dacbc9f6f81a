import { age, count, percent } from '#client/dashboard/elements/format.ts';
import type { Metric } from '#client/dashboard/elements/metric.ts';
import type { Candidate, Comparison } from '#shared/models/ops/ops-api-types.ts';

/** The section of the docs that explains them. */
export const SIMULATED_TTLS = 'Simulated TTLs';

/** What a TTL would have done to the recorded reads. */
export const SIMULATED = {
  ttl: { label: 'TTL', of: ({ ttl }) => age(ttl) },
  hitRatio: { label: 'Hit ratio', of: ({ hitRatio }) => percent(hitRatio) },
  fresh: { label: 'Fresh', of: ({ freshRatio }) => percent(freshRatio) },
  upstream: {
    label: 'Upstream requests/min',
    of: ({ upstreamCallsPerMinute }) => count(upstreamCallsPerMinute),
  },
  meanAge: { label: 'Mean age', of: ({ meanStalenessSeconds }) => age(rounded(meanStalenessSeconds)) },
  maxAge: { label: 'Maximum age', of: ({ maxStalenessSeconds }) => age(rounded(maxStalenessSeconds)) },
  outdated: { label: 'Outdated', of: ({ outdatedRatio }) => percent(outdatedRatio) },
} as const satisfies Record<string, Metric<Candidate>>;

/** Says what a simulation rests on. */
export function simulatedFrom({
  requests,
  observedSeconds,
  sampleRate,
}: Pick<Comparison, 'requests' | 'observedSeconds' | 'sampleRate'>): string {
  const keys = sampleRate < 1 ? `: the busiest keys, and ${percent(sampleRate)} of the others` : '';
  return `Simulated from ${count(requests)} reads of the last ${age(Math.round(observedSeconds))}${keys}.`;
}

function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 10) / 10;
}

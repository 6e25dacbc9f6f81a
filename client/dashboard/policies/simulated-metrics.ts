import type { Candidate } from '#client/dashboard/api/ops-responses.ts';
import { age, count, percent } from '#client/dashboard/elements/format.ts';
import type { Metric } from '#client/dashboard/elements/metric.ts';

type SimulatedMetric = Metric<Candidate> & { about: string };

/** What a TTL would have done to the recorded reads, as numbers with their meaning. */
export const SIMULATED = {
  ttl: { label: 'TTL', about: 'How long an entry would have been fresh.', of: ({ ttl }) => age(ttl) },
  hitRatio: {
    label: 'Hit ratio',
    about: 'Share of the recorded reads that would not have waited for the upstream.',
    of: ({ hitRatio }) => percent(hitRatio),
  },
  fresh: {
    label: 'Fresh',
    about:
      'Share of the recorded reads that would have found a fresh entry. The other hits would have been stale.',
    of: ({ freshRatio }) => percent(freshRatio),
  },
  upstream: {
    label: 'Upstream requests/min',
    about: 'Upstream requests a minute that it would have cost.',
    of: ({ upstreamCallsPerMinute }) => count(upstreamCallsPerMinute),
  },
  meanAge: {
    label: 'Mean age',
    about: 'Mean age of what readers would have been served.',
    of: ({ meanStalenessSeconds }) => age(rounded(meanStalenessSeconds)),
  },
  maxAge: {
    label: 'Maximum age',
    about: 'Age of the oldest that readers would have been served.',
    of: ({ maxStalenessSeconds }) => age(rounded(maxStalenessSeconds)),
  },
  outdated: {
    label: 'Outdated',
    about: 'Share of the recorded reads that would have got a value which the upstream had already replaced.',
    of: ({ outdatedRatio }) => percent(outdatedRatio),
  },
} as const satisfies Record<string, SimulatedMetric>;

function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 10) / 10;
}

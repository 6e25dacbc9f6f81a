import { age, duration, percent, share } from '#client/dashboard/elements/format.ts';
import { type Metric, numeric } from '#client/dashboard/elements/metrics.tsx';
import { ALERT_RULES, OBJECTIVES, SLOW_SECONDS } from '#shared/alert-rules.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';
import { budgetLeft } from './budget-left.ts';

const hasNoObjective = { note: () => 'no objective' };

export const OLDEST_MESSAGE: Metric<LiveMetrics> = {
  ...numeric('Oldest message', oldestMessageAge, age, 'OutboxOldestMessage'),
  note: () => `alert above ${age(ALERT_RULES.OutboxOldestMessage.above)}`,
};

/** The service level indicators, with their objectives and the budgets left: are readers affected? */
export const SERVICE_LEVELS: Metric<LiveMetrics>[] = [
  withObjective('availability', 'Availability'),
  withObjective('latency', `Within ${duration(SLOW_SECONDS)}`),
  {
    ...numeric('Served from cache', ({ serviceLevels }) => serviceLevels.fromCache, percent),
    ...hasNoObjective,
  },
  {
    ...numeric('p95 of misses', ({ serviceLevels }) => serviceLevels.missP95Seconds, duration),
    ...hasNoObjective,
  },
  withObjective('freshness', 'Refreshes succeeded'),
  { ...numeric('Age served', ({ cache }) => cache.meanAgeSeconds, age), note: oldestServed },
  {
    ...numeric('Stale ratio', ({ cache }) => cache.staleRatio, percent, 'StaleRatioHigh'),
    note: () => `alert above ${percent(ALERT_RULES.StaleRatioHigh.above)}`,
  },
  OLDEST_MESSAGE,
];

function withObjective(name: keyof typeof OBJECTIVES, label: string): Metric<LiveMetrics> {
  const leftOf = ({ serviceLevels }: LiveMetrics) => budgetLeft(serviceLevels[name], OBJECTIVES[name]);
  return {
    label,
    of: ({ serviceLevels }) => share(serviceLevels[name]),
    isAlarming: (live) => (leftOf(live) ?? 0) < 0,
    note: (live) => {
      const left = leftOf(live);
      const budget = left === null ? '' : `, budget left ${left < 0 ? 'none' : percent(left)}`;
      return `objective ${percent(OBJECTIVES[name])}${budget}`;
    },
  };
}

function oldestMessageAge({ outbox: { pending, oldestMessageAgeSeconds } }: LiveMetrics): number | null {
  return pending.submissions + pending.views === 0 ? null : oldestMessageAgeSeconds;
}

function oldestServed({ resources }: LiveMetrics): string {
  const ageOf = (name: string) => resources[name]?.lastMinute.meanAgeSeconds ?? null;
  const oldest = Object.keys(resources).reduce(
    (one, other) => ((ageOf(other) ?? 0) > (ageOf(one) ?? 0) ? other : one),
    '',
  );
  return ageOf(oldest) === null ? 'no objective' : `oldest: ${oldest}, ${age(ageOf(oldest))}`;
}

import { age, duration, percent, share } from '#client/dashboard/elements/format.ts';
import type { Metric } from '#client/dashboard/elements/metric.ts';
import { MetricList } from '#client/dashboard/elements/metric-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { ALERT_THRESHOLDS, isAlarming, OBJECTIVES, SLOW_SECONDS } from '#shared/alert-thresholds.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';
import { budgetLeft } from './budget-left.ts';

/** A service level indicator. `note`: its objective, in words. */
type Level = Metric<LiveMetrics> & { note: (live: LiveMetrics) => string };

export const OLDEST_MESSAGE: Level = {
  label: 'Oldest message',
  of: ({ outbox: { pending, oldestMessageAgeSeconds } }) =>
    pending.submissions + pending.views === 0 ? '–' : age(oldestMessageAgeSeconds),
  isAlarming: ({ outbox }) => isAlarming('oldestMessageAgeSeconds', outbox.oldestMessageAgeSeconds),
  note: () => `alert above ${age(ALERT_THRESHOLDS.oldestMessageAgeSeconds.above)}`,
};

const LEVELS: Level[] = [
  withObjective('availability', 'Availability'),
  withObjective('latency', `Within ${duration(SLOW_SECONDS)}`),
  {
    label: 'Served from cache',
    of: ({ serviceLevels }) => percent(serviceLevels.fromCache),
    note: () => 'no objective',
  },
  {
    label: 'p95 of misses',
    of: ({ serviceLevels }) => duration(serviceLevels.missP95Seconds),
    note: () => 'no objective',
  },
  withObjective('freshness', 'Refreshes succeeded'),
  { label: 'Age served', of: ({ cache }) => age(cache.meanAgeSeconds), note: oldestServed },
  {
    label: 'Stale ratio',
    of: ({ cache }) => percent(cache.staleRatio),
    isAlarming: ({ cache }) => isAlarming('staleRatio', cache.staleRatio),
    note: () => `alert above ${percent(ALERT_THRESHOLDS.staleRatio.above)}`,
  },
  OLDEST_MESSAGE,
];

function withObjective(name: keyof typeof OBJECTIVES, label: string): Level {
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

function oldestServed({ resources }: LiveMetrics): string {
  const ages = Object.entries(resources).map(
    ([name, { lastMinute }]) => [name, lastMinute.meanAgeSeconds] as const,
  );
  const [name, seconds] = ages.reduce(
    (one, other) => ((other[1] ?? 0) > (one[1] ?? 0) ? other : one),
    ['', null],
  );
  return seconds === null ? 'no objective' : `oldest: ${name}, ${age(seconds)}`;
}

/** Shows the service level indicators with their objectives and the budgets left: are readers affected? */
export function ServiceLevelLine({ live }: { live: LiveMetrics }) {
  return (
    <Panel
      title="Service levels"
      note={`of the last ${age(live.serviceLevels.seconds)}`}
      className="service-levels"
    >
      <MetricList metrics={LEVELS} source={live} />
    </Panel>
  );
}

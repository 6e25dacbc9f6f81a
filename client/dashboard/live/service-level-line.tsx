import { age, duration, percent, share } from '#client/dashboard/elements/format.ts';
import { type Metric, metricNames } from '#client/dashboard/elements/metric.ts';
import { MetricList } from '#client/dashboard/elements/metric-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { ALERT_THRESHOLDS, isAlarming, OBJECTIVES, SLOW_SECONDS } from '#shared/alert-thresholds.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';
import { budgetLeft } from './budget-left.ts';
import { OLDEST_MESSAGE } from './outbox-metrics.ts';

/** A service level indicator. `note`: its objective, in words. */
type Level = Metric<LiveMetrics> & { note: (live: LiveMetrics) => string };

const LEVELS: Level[] = [
  withObjective('availability', {
    label: 'Availability',
    about:
      'Share of all responses without a 5xx status, over the last day or since the start. Budget left: of the failures that the objective allows over the same time.',
    metric: 'http_requests_total',
  }),
  withObjective('latency', {
    label: `Within ${duration(SLOW_SECONDS)}`,
    about:
      'Share of all requests within a quarter of a second, over the last day or since the start. Budget left: of the slow requests that the objective allows over the same time.',
    metric: 'http_request_duration_seconds',
  }),
  {
    label: 'Served from cache',
    about:
      'Share of pages, API calls and feeds that were served from the response cache or coalesced with another request, over the last day or since the start.',
    of: ({ serviceLevels }) => percent(serviceLevels.fromCache),
    note: () => 'no objective',
  },
  {
    label: 'p95 of misses',
    about:
      '95 % of the requests for pages and of the API that the front cache did not serve took at most this long, over the last day or since the start.',
    metric: 'http_cache_miss_duration_seconds',
    of: ({ serviceLevels }) => duration(serviceLevels.missP95Seconds),
    note: () => 'no objective',
  },
  withObjective('freshness', {
    label: 'Refreshes succeeded',
    about:
      'Share of background refreshes that succeeded, over the last day or since the start: a failed one makes what is served older than it should be.',
    metric: 'cache_refreshes_total',
  }),
  {
    label: 'Served stale, last 10 s',
    about:
      'Share of the reads of the content cache in the last ten seconds that were served stale while a background refresh ran.',
    metric: 'cache_requests_total',
    of: ({ cache }) => percent(cache.staleRatio),
    isAlarming: ({ cache }) => isAlarming('staleRatio', cache.staleRatio),
    note: () => `alert above ${percent(ALERT_THRESHOLDS.staleRatio.above)}`,
  },
  {
    ...OLDEST_MESSAGE,
    note: () => `alert above ${age(ALERT_THRESHOLDS.oldestMessageAgeSeconds.above)}`,
  },
];

function withObjective(
  name: keyof typeof OBJECTIVES,
  metric: Pick<Level, 'label' | 'about' | 'metric'>,
): Level {
  const leftOf = ({ serviceLevels }: LiveMetrics) => budgetLeft(serviceLevels[name], OBJECTIVES[name]);
  return {
    ...metric,
    of: ({ serviceLevels }) => share(serviceLevels[name]),
    isAlarming: (live) => (leftOf(live) ?? 0) < 0,
    note: (live) => {
      const left = leftOf(live);
      const budget = left === null ? '' : `, budget left ${left < 0 ? 'none' : percent(left)}`;
      return `objective ${percent(OBJECTIVES[name])}${budget}`;
    },
  };
}

/** Shows the service level indicators with their objectives and the budgets left: are readers affected? */
export function ServiceLevelLine({ live }: { live: LiveMetrics }) {
  return (
    <Panel
      title={
        <>
          Service levels <span>of the last {age(live.serviceLevels.seconds)}</span>
        </>
      }
      docs="metrics-and-alerts"
      metrics={metricNames(LEVELS)}
      className="service-levels"
    >
      <MetricList metrics={LEVELS} source={live} />
    </Panel>
  );
}

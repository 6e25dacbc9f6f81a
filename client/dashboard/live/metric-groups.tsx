import { age, bytes, count, duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import { type Metric, metricNames } from '#client/dashboard/elements/metric.ts';
import { MetricList } from '#client/dashboard/elements/metric-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { isAlarming } from '#shared/alert-thresholds.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';
import { OLDEST_MESSAGE, PENDING_MESSAGES, REJECTED_MESSAGES } from './outbox-metrics.ts';

interface Group {
  title: string;
  docs: string;
  metrics: Metric<LiveMetrics>[];
}

const GROUPS: Group[] = [
  {
    title: 'Requests',
    docs: 'metrics-and-alerts',
    metrics: [
      {
        label: 'Hit ratio',
        about:
          'Share of pages, API calls and feeds of the last ten seconds that were served from the response cache or coalesced with another request.',
        of: ({ requests }) => percent(requests.hitRatio),
      },
      {
        label: 'Requests/s',
        about:
          'Requests for pages and of the API a second, over the last ten seconds. Assets and health checks are left out.',
        metric: 'http_requests_total',
        of: ({ requests }) => perSecond(requests.perSecond),
      },
      quantile('p50', 'Half'),
      quantile('p95', '95 %'),
      quantile('p99', '99 %'),
      {
        label: 'Error rate',
        about: 'Share of these requests whose response had a 5xx status, over the last ten seconds.',
        metric: 'http_requests_total',
        of: ({ requests }) => percent(requests.errorRatio),
        isAlarming: ({ requests }) => isAlarming('errorRatio', requests.errorRatio),
      },
    ],
  },
  {
    title: 'Cache',
    docs: 'tune-ttls',
    metrics: [
      {
        label: 'Hit ratio',
        about:
          'Share of the reads of the content cache in the last ten seconds that were served from memory, fresh or stale.',
        metric: 'cache_requests_total',
        of: ({ cache }) => percent(cache.hitRatio),
      },
      {
        label: 'Stale ratio',
        about:
          'Share of the reads of the content cache in the last ten seconds that were served stale while a background refresh ran.',
        metric: 'cache_requests_total',
        of: ({ cache }) => percent(cache.staleRatio),
        isAlarming: ({ cache }) => isAlarming('staleRatio', cache.staleRatio),
      },
      {
        label: 'Refreshes',
        about: 'Background refreshes that run now, at most 64.',
        metric: 'cache_refreshes_total',
        of: ({ refreshes }) => `${count(refreshes.running)} running`,
      },
      {
        label: 'Refresh queue',
        about:
          'Background refreshes that are queued. A queue that does not empty means that the upstream is slower than its data goes stale: lengthen TTLs.',
        metric: 'cache_refresh_queue_length',
        of: ({ refreshes }) => `${count(refreshes.queued)} queued`,
        isAlarming: ({ refreshes }) => isAlarming('refreshQueueLength', refreshes.queued),
      },
    ],
  },
  {
    title: 'Upstream',
    docs: 'upstream-outage',
    metrics: [
      {
        label: 'Upstream latency, p95',
        about: '95 % of the upstream requests of the last ten seconds took at most this long.',
        metric: 'upstream_request_duration_seconds',
        of: ({ upstream }) => duration(upstream.durationSeconds?.p95 ?? null),
      },
      {
        label: 'Upstream requests/s',
        about: 'Upstream requests a second, over the last ten seconds: what the cache lets through.',
        metric: 'upstream_requests_total',
        of: ({ upstream }) => perSecond(upstream.requestsPerSecond),
      },
      {
        label: 'Error rate',
        about:
          'Share of upstream requests in the last ten seconds without a usable response: network error, timeout, a status outside 2xx, an invalid body.',
        metric: 'upstream_requests_total',
        of: ({ upstream }) => percent(upstream.errorRatio),
        isAlarming: ({ upstream }) => isAlarming('upstreamErrorRatio', upstream.errorRatio),
      },
      {
        label: 'Circuit breaker',
        about:
          'Closed: requests go to the upstream. Open: half of the last ones failed, so that none goes for five seconds, and cached data is served. Half-open: one request probes the upstream.',
        metric: 'upstream_circuit_breaker_state',
        of: ({ circuitBreaker }) => circuitBreaker,
        isAlarming: ({ circuitBreaker }) => circuitBreaker !== 'closed',
      },
    ],
  },
  {
    title: 'Outbox',
    docs: 'outbox',
    metrics: [PENDING_MESSAGES, OLDEST_MESSAGE, REJECTED_MESSAGES],
  },
  {
    title: 'Process',
    docs: 'troubleshooting',
    metrics: [
      {
        label: 'Render queue',
        about:
          'Renders that are queued, their data loaded. From 200 on, requests that need a render get a 503.',
        metric: 'render_queue_length',
        of: ({ renderQueueLength }) => `${count(renderQueueLength)} queued`,
        isAlarming: ({ renderQueueLength }) => isAlarming('renderQueueLength', renderQueueLength),
      },
      {
        label: 'Event-loop lag, p99',
        about:
          'How late the event loop ran in the last seconds, 99 times of 100. Tens of milliseconds delay every request.',
        metric: 'event_loop_lag_seconds',
        of: ({ process }) => duration(process.eventLoopLagSeconds.p99),
        isAlarming: ({ process }) => isAlarming('eventLoopLagSeconds', process.eventLoopLagSeconds.p99),
      },
      {
        label: 'CPU',
        about:
          'CPU time of this process in the last second. 100 % is one core, which is all that the event loop can use.',
        metric: 'process_cpu_seconds_total',
        of: ({ process }) => percent(process.cpuShare),
      },
      {
        label: 'RSS',
        about:
          'Resident set size: the memory that the operating system holds for this process. The cache is part of it.',
        metric: 'process_resident_memory_bytes',
        of: ({ process }) => bytes(process.residentBytes),
        isAlarming: ({ process }) => isAlarming('residentBytes', process.residentBytes),
      },
      {
        label: 'Uptime',
        about:
          'How long this process has run. Counts start with it; the cache is restored from its snapshot.',
        metric: 'process_start_time_seconds',
        of: ({ uptimeSeconds }) => age(uptimeSeconds),
      },
    ],
  },
];

function quantile(name: 'p50' | 'p95' | 'p99', share: string): Metric<LiveMetrics> {
  return {
    label: name,
    about: `${share} of the requests of the last ten seconds took at most this long, to the last byte. As fine as the buckets of the histogram.`,
    metric: 'http_request_duration_seconds',
    of: ({ requests }) => duration(requests.durationSeconds?.[name] ?? null),
  };
}

/** Shows the metrics of now in groups. */
export function MetricGroups({ live }: { live: LiveMetrics }) {
  return (
    <div className="metric-groups">
      {GROUPS.map(({ title, docs, metrics }) => (
        <Panel key={title} title={title} docs={docs} metrics={metricNames(metrics)}>
          <MetricList metrics={metrics} source={live} />
        </Panel>
      ))}
    </div>
  );
}

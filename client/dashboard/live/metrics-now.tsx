import { age, count } from '#client/dashboard/elements/format.ts';
import type { Metric } from '#client/dashboard/elements/metric.ts';
import { MetricList } from '#client/dashboard/elements/metric-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { isAlarming } from '#shared/alert-thresholds.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';

export const messages = (n: number) => (n === 1 ? '1 message' : `${count(n)} messages`);
const pendingOf = ({ outbox: { pending } }: LiveMetrics) => pending.submissions + pending.views;

/** What is not plotted. */
const METRICS: Metric<LiveMetrics>[] = [
  {
    label: 'Circuit breaker',
    of: ({ circuitBreaker }) => circuitBreaker,
    isAlarming: ({ circuitBreaker }) => circuitBreaker !== 'closed',
  },
  { label: 'Refreshes', of: ({ refreshes }) => `${count(refreshes.running)} running` },
  {
    label: 'Refresh queue',
    of: ({ refreshes }) => `${count(refreshes.queued)} queued`,
    isAlarming: ({ refreshes }) => isAlarming('refreshQueueLength', refreshes.queued),
  },
  {
    label: 'Outbox: pending',
    of: (live) => messages(pendingOf(live)),
    isAlarming: (live) => isAlarming('pendingMessages', pendingOf(live)),
  },
  {
    label: 'Outbox: rejected',
    of: ({ outbox }) => messages(outbox.rejected),
    isAlarming: ({ outbox }) => isAlarming('rejectedMessages', outbox.rejected),
  },
  { label: 'Uptime', of: ({ uptimeSeconds }) => age(uptimeSeconds) },
];

/** Shows the metrics of now that have no plot. */
export function MetricsNow({ live }: { live: LiveMetrics }) {
  return (
    <Panel title="Now">
      <MetricList metrics={METRICS} source={live} />
    </Panel>
  );
}

import { age, count, plural } from '#client/dashboard/elements/format.ts';
import { type Metric, numeric } from '#client/dashboard/elements/metrics.tsx';
import type { LiveMetrics } from '#shared/models/metrics.ts';

const messages = (n: number | null) => plural(n, 'message', 'messages');
const running = (n: number | null) => `${count(n)} running`;
const queued = (n: number | null) => `${count(n)} queued`;

/** What is not plotted. */
export const METRICS_NOW: Metric<LiveMetrics>[] = [
  {
    label: 'Circuit breaker',
    of: ({ circuitBreaker }) => circuitBreaker,
    isAlarming: ({ circuitBreaker }) => circuitBreaker !== 'closed',
  },
  numeric('Refreshes', ({ refreshes }) => refreshes.running, running),
  numeric('Refresh queue', ({ refreshes }) => refreshes.queued, queued, 'RefreshQueueLong'),
  numeric(
    'Outbox: pending',
    ({ outbox: { pending } }) => pending.submissions + pending.views,
    messages,
    'OutboxPending',
  ),
  numeric('Outbox: rejected', ({ outbox }) => outbox.rejected, messages, 'OutboxRejected'),
  numeric('Uptime', ({ uptimeSeconds }) => uptimeSeconds, age),
];

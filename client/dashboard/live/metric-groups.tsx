import { Explained } from '#client/dashboard/elements/explained.tsx';
import { EXPLANATIONS, type ExplanationName } from '#client/dashboard/elements/explanations.ts';
import { age, bytes, count, duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import { MetricNames } from '#client/dashboard/elements/metric-names.tsx';
import { isAlarming } from '#shared/alert-thresholds.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';

interface Metric {
  label: string;
  explains: ExplanationName;
  value: string;
  alarming?: boolean;
}

/** Shows the metrics of now in five groups, each with its Prometheus names. */
export function MetricGroups({ metrics }: { metrics: LiveMetrics }) {
  const { requests, cache, upstream, refreshes, outbox, process, circuitBreaker } = metrics;
  const pending = outbox.pending.submissions + outbox.pending.views;
  return (
    <section className="metric-groups" aria-label="Metrics of now">
      <Group
        title="Requests"
        metrics={[
          { label: 'Hit ratio', explains: 'pageHitRatio', value: percent(requests.hitRatio) },
          { label: 'Requests/s', explains: 'requests', value: perSecond(requests.perSecond) },
          { label: 'p50', explains: 'p50', value: duration(requests.durationSeconds?.p50 ?? null) },
          { label: 'p95', explains: 'p95', value: duration(requests.durationSeconds?.p95 ?? null) },
          { label: 'p99', explains: 'p99', value: duration(requests.durationSeconds?.p99 ?? null) },
          {
            label: 'Error rate',
            explains: 'errorRate',
            value: percent(requests.errorRatio),
            alarming: isAlarming('errorRatio', requests.errorRatio),
          },
        ]}
      />
      <Group
        title="Cache"
        metrics={[
          { label: 'Hit ratio', explains: 'cacheHitRatio', value: percent(cache.hitRatio) },
          {
            label: 'Stale ratio',
            explains: 'staleRatio',
            value: percent(cache.staleRatio),
            alarming: isAlarming('staleRatio', cache.staleRatio),
          },
          { label: 'Refreshes', explains: 'refreshes', value: `${count(refreshes.running)} running` },
          {
            label: 'Refresh queue',
            explains: 'refreshQueue',
            value: `${count(refreshes.queued)} queued`,
            alarming: isAlarming('refreshQueueLength', refreshes.queued),
          },
        ]}
      />
      <Group
        title="Upstream"
        metrics={[
          {
            label: 'Upstream latency, p95',
            explains: 'upstreamLatency',
            value: duration(upstream.durationSeconds?.p95 ?? null),
          },
          {
            label: 'Upstream requests/s',
            explains: 'upstreamRequests',
            value: perSecond(upstream.requestsPerSecond),
          },
          {
            label: 'Error rate',
            explains: 'upstreamErrorRate',
            value: percent(upstream.errorRatio),
            alarming: isAlarming('upstreamErrorRatio', upstream.errorRatio),
          },
          {
            label: 'Circuit breaker',
            explains: 'circuitBreaker',
            value: circuitBreaker,
            alarming: circuitBreaker !== 'closed',
          },
        ]}
      />
      <Group
        title="Outbox"
        metrics={[
          {
            label: 'Outbox: pending',
            explains: 'outboxPending',
            value: messages(pending),
            alarming: isAlarming('pendingMessages', pending),
          },
          {
            label: 'Oldest message',
            explains: 'oldestMessage',
            value: pending === 0 ? '–' : age(outbox.oldestMessageAgeSeconds),
            alarming: isAlarming('oldestMessageAgeSeconds', outbox.oldestMessageAgeSeconds),
          },
          {
            label: 'Outbox: rejected',
            explains: 'outboxRejected',
            value: messages(outbox.rejected),
            alarming: isAlarming('rejectedMessages', outbox.rejected),
          },
        ]}
      />
      <Group
        title="Process"
        metrics={[
          {
            label: 'Render queue',
            explains: 'renderQueue',
            value: `${count(metrics.renderQueueLength)} queued`,
            alarming: isAlarming('renderQueueLength', metrics.renderQueueLength),
          },
          {
            label: 'Event-loop lag, p99',
            explains: 'eventLoopLag',
            value: duration(process.eventLoopLagSeconds.p99),
            alarming: isAlarming('eventLoopLagSeconds', process.eventLoopLagSeconds.p99),
          },
          { label: 'CPU', explains: 'cpu', value: percent(process.cpuShare) },
          {
            label: 'RSS',
            explains: 'rss',
            value: bytes(process.residentBytes),
            alarming: isAlarming('residentBytes', process.residentBytes),
          },
          { label: 'Uptime', explains: 'uptime', value: age(metrics.uptimeSeconds) },
        ]}
      />
    </section>
  );
}

function messages(n: number): string {
  return n === 1 ? '1 message' : `${count(n)} messages`;
}

function Group({ title, metrics }: { title: string; metrics: Metric[] }) {
  return (
    <div className="metric-group">
      <h2>{title}</h2>
      <dl>
        {metrics.map(({ label, explains, value, alarming = false }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Explained name={explains} className={alarming ? 'alarming' : ''}>
                {alarming && <span className="visually-hidden">Alarming: </span>}
                {value}
              </Explained>
            </dd>
          </div>
        ))}
      </dl>
      <MetricNames names={metrics.map(({ explains }) => EXPLANATIONS[explains].metric)} />
    </div>
  );
}

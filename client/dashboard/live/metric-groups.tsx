import type { ReactNode } from 'react';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import type { ExplanationName } from '#client/dashboard/elements/explanations.ts';
import { age, bytes, count, duration, percent } from '#client/dashboard/elements/format.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';

interface Figure {
  label: string;
  explains: ExplanationName;
  value: string;
  /** It asks for somebody's attention. */
  alarming?: boolean;
}

/** The site in five groups of numbers. */
export function MetricGroups({ metrics }: { metrics: LiveMetrics }) {
  const { readers, data, upstream, queues, process } = metrics;
  const waiting = queues.submissions + queues.views;
  return (
    <section className="figure-groups" aria-label="Figures of now">
      <Group
        title="Readers"
        metrics={[
          { label: 'Pages from memory', explains: 'pageHitRatio', value: percent(readers.pageHitRatio) },
          { label: 'Answers a second', explains: 'responses', value: count(readers.perSecond) },
          { label: '95 % within', explains: 'responseP95', value: duration(readers.seconds?.p95 ?? null) },
          {
            label: 'Failed a second',
            explains: 'failed',
            value: count(readers.failedPerSecond),
            alarming: (readers.failedPerSecond ?? 0) > 0,
          },
        ]}
      />
      <Group
        title="Data"
        metrics={[
          { label: 'Reads from memory', explains: 'dataHitRatio', value: percent(data.hitRatio) },
          { label: 'Of them stale', explains: 'staleRatio', value: percent(data.staleRatio) },
          {
            label: 'Refreshes run / wait',
            explains: 'refreshes',
            value: `${count(queues.refreshesRunning)} / ${count(queues.refreshesWaiting)}`,
            alarming: queues.refreshesWaiting > 0,
          },
        ]}
      />
      <Group
        title="Upstream"
        metrics={[
          { label: 'Calls a second', explains: 'calls', value: count(upstream.callsPerSecond) },
          { label: '95 % within', explains: 'callP95', value: duration(upstream.seconds?.p95 ?? null) },
          {
            label: 'Errors a second',
            explains: 'callErrors',
            value: count(upstream.errorsPerSecond),
            alarming: (upstream.errorsPerSecond ?? 0) > 0,
          },
          {
            label: 'Breaker',
            explains: 'breaker',
            value: metrics.breaker,
            alarming: metrics.breaker !== 'closed',
          },
        ]}
      />
      <Group
        title="Outbox"
        metrics={[
          { label: 'Waiting', explains: 'outbox', value: count(waiting) },
          {
            label: 'Oldest',
            explains: 'oldest',
            value: waiting === 0 ? '–' : age(queues.oldestSeconds),
            alarming: queues.oldestSeconds >= 300,
          },
          {
            label: 'Refused',
            explains: 'refused',
            value: count(queues.refused),
            alarming: queues.refused > 0,
          },
        ]}
      />
      <Group
        title="Process"
        metrics={[
          { label: 'Loop lag, 99 %', explains: 'lag', value: duration(process.eventLoopLagSeconds.p99) },
          { label: 'Processor', explains: 'cpu', value: percent(process.cpuShare) },
          { label: 'Memory', explains: 'memory', value: bytes(process.residentBytes) },
          { label: 'Up', explains: 'uptime', value: age(metrics.uptimeSeconds) },
        ]}
      />
    </section>
  );
}

function Group({ title, metrics }: { title: string; metrics: Figure[] }): ReactNode {
  return (
    <div className="figure-group">
      <h2>{title}</h2>
      <dl>
        {metrics.map(({ label, explains, value, alarming = false }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Explained name={explains} className={alarming ? 'alarming' : ''}>
                {alarming && <span className="visually-hidden">Look: </span>}
                {value}
              </Explained>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

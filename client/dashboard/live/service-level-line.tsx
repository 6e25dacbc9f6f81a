import { Explained } from '#client/dashboard/elements/explained.tsx';
import { EXPLANATIONS, type ExplanationName } from '#client/dashboard/elements/explanations.ts';
import { age, duration, percent, share } from '#client/dashboard/elements/format.ts';
import { MetricNames } from '#client/dashboard/elements/metric-names.tsx';
import { ALERT_THRESHOLDS, isAlarming, OBJECTIVES, SLOW_SECONDS } from '#shared/alert-thresholds.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';
import { budgetLeft } from './budget-left.ts';

interface Level {
  label: string;
  explains: ExplanationName;
  value: string;
  /** The objective, in words. */
  objective: string;
  isMissed: boolean;
}

/** Shows the service level indicators with their objectives and the budgets left: are readers affected? */
export function ServiceLevelLine({ metrics: { serviceLevels, cache, outbox } }: { metrics: LiveMetrics }) {
  const { seconds, availability, latency, freshness, fromCache, missP95Seconds } = serviceLevels;
  const oldest = outbox.oldestMessageAgeSeconds;
  const levels: Level[] = [
    withObjective('Availability', 'availability', availability, OBJECTIVES.availability),
    withObjective(`Within ${duration(SLOW_SECONDS)}`, 'latencyLevel', latency, OBJECTIVES.latency),
    {
      label: 'Served from cache',
      explains: 'fromCache',
      value: percent(fromCache),
      objective: 'no objective',
      isMissed: false,
    },
    {
      label: 'p95 of misses',
      explains: 'missP95',
      value: duration(missP95Seconds),
      objective: 'no objective',
      isMissed: false,
    },
    withObjective('Refreshes succeeded', 'freshness', freshness, OBJECTIVES.freshness),
    {
      label: 'Served stale, last 10 s',
      explains: 'staleRatio',
      value: percent(cache.staleRatio),
      objective: `alert above ${percent(ALERT_THRESHOLDS.staleRatio.above)}`,
      isMissed: isAlarming('staleRatio', cache.staleRatio),
    },
    {
      label: 'Oldest message',
      explains: 'oldestMessage',
      value: oldest === 0 ? '–' : age(oldest),
      objective: `alert above ${age(ALERT_THRESHOLDS.oldestMessageAgeSeconds.above)}`,
      isMissed: isAlarming('oldestMessageAgeSeconds', oldest),
    },
  ];
  return (
    <section className="service-levels" aria-labelledby="service-levels-title">
      <h2 id="service-levels-title">
        Service levels <span>of the last {age(seconds)}</span>
      </h2>
      <dl>
        {levels.map(({ label, explains, value, objective, isMissed }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Explained name={explains} className={isMissed ? 'alarming' : ''}>
                {isMissed && <span className="visually-hidden">Alarming: </span>}
                {value}
              </Explained>
              <span className="objective">{objective}</span>
            </dd>
          </div>
        ))}
      </dl>
      <MetricNames names={levels.map(({ explains }) => EXPLANATIONS[explains].metric)} />
    </section>
  );
}

function withObjective(
  label: string,
  explains: ExplanationName,
  value: number | null,
  objective: number,
): Level {
  const left = budgetLeft(value, objective);
  const budget = left === null ? '' : `, budget left ${left < 0 ? 'none' : percent(left)}`;
  return {
    label,
    explains,
    value: share(value),
    objective: `objective ${percent(objective)}${budget}`,
    isMissed: left !== null && left < 0,
  };
}

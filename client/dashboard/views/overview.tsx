import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { type Column, GridPanel } from '#client/dashboard/elements/data-grid.tsx';
import { age, clockTime, count, duration, percent } from '#client/dashboard/elements/format.ts';
import { LinkList } from '#client/dashboard/elements/link-list.tsx';
import { MetricList, numeric } from '#client/dashboard/elements/metrics.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { METRICS_NOW } from '#client/dashboard/live/metrics-now.ts';
import { Plots } from '#client/dashboard/live/plots.tsx';
import { PROCESS, SERVED } from '#client/dashboard/live/plotted-metrics.ts';
import { ResourceGrid } from '#client/dashboard/live/resource-grid.tsx';
import { SERVICE_LEVELS } from '#client/dashboard/live/service-levels.ts';
import { LIVE_MINUTES, rangeOf, TIME_RANGES } from '#client/dashboard/live/time-ranges.ts';
import { useLive } from '#client/dashboard/live/use-live.ts';
import type { LivePoint, MetricsEvent, RouteMetrics, UpstreamOperation } from '#shared/models/metrics.ts';

const MINUTE_MS = 60_000;
const POLL_MS = 10_000;
const MAX_EVENTS = 10;
/** An address shows what its sender saw. */
const RANGE_LINKS = TIME_RANGES.map(({ minutes, label }) => ({ to: `/overview/${minutes}`, text: label }));
const NOTHING = { points: [], events: [], hitRatios: {} };

/** Renders what matters first: service levels, what readers get, the upstream, resources, routes, the process. `#/overview/360`: six hours. */
export function Component() {
  const { metrics, points } = useLive((live) => live);
  const { minutes } = rangeOf(useParams()['minutes']);
  const { data: history = NOTHING } = useQuery({
    queryKey: ['history', minutes],
    queryFn: () => ops.history(minutes),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  const shown = useMemo(
    () => (minutes > LIVE_MINUTES ? history.points : lastMinutes(points, minutes)),
    [history.points, points, minutes],
  );
  if (metrics === null) return <p className="about">Waiting for the first metrics…</p>;
  const range = { points: shown, events: history.events, minutes };
  const since = `of the last ${age(metrics.serviceLevels.seconds)}`;
  return (
    <>
      <Panel title="Service levels" note={since} className="service-levels">
        <MetricList metrics={SERVICE_LEVELS} source={metrics} />
      </Panel>
      <Panel title="Now">
        <MetricList metrics={METRICS_NOW} source={metrics} />
      </Panel>
      <section aria-labelledby="over-time">
        <div className="plots-head">
          <h2 id="over-time">Over time</h2>
          <span className="about">in UTC, and in local time below where that is another</span>
          <LinkList label="Range" className="ranges" current={`/overview/${minutes}`} links={RANGE_LINKS} />
        </div>
        <Plots plots={SERVED} {...range} />
        <EventList events={history.events} />
      </section>
      <UpstreamOperations />
      <ResourceGrid hitRatios={history.hitRatios} />
      <Routes />
      <section aria-labelledby="process">
        <h2 id="process" className="plots-head">
          Process
        </h2>
        <Plots plots={PROCESS} {...range} />
      </section>
    </>
  );
}

function lastMinutes(points: readonly LivePoint[], minutes: number): readonly LivePoint[] {
  const last = points.at(-1);
  if (!last) return points;
  const since = new Date(Date.parse(last.at) - minutes * MINUTE_MS).toISOString();
  return points.filter(({ at }) => at >= since);
}

/** Lists what the lines in the plots mark, newest first: what changed then? */
function EventList({ events }: { events: readonly MetricsEvent[] }) {
  const shown = events.slice(-MAX_EVENTS).reverse();
  return (
    <div className="events">
      <h3>Purges, changes, circuit breaker, starts</h3>
      {shown.length === 0 && <p className="about">None in this range.</p>}
      <ol>
        {shown.map(({ at, kind, text }) => (
          <li key={`${at} ${text}`}>
            <time dateTime={at}>{clockTime(new Date(at))}</time>{' '}
            {kind === 'change' ? <Link to="/audit-log">{text}</Link> : text}
          </li>
        ))}
      </ol>
      {events.length > MAX_EVENTS && <p className="about">And {events.length - MAX_EVENTS} earlier.</p>}
    </div>
  );
}

const OPERATIONS: Column<UpstreamOperation>[] = [
  { label: 'Operation', of: ({ operation }) => operation },
  numeric('Requests/min', ({ requestsPerMinute }) => requestsPerMinute, count),
  numeric('Error rate', ({ errorRatio }) => errorRatio, percent, 'UpstreamErrorRateHigh'),
  numeric('p95', ({ p95Seconds }) => p95Seconds, duration),
];

/** Lists the upstream's operations of the last minute: is it us or the upstream? */
const UpstreamOperations = memo(function UpstreamOperations() {
  return (
    <GridPanel
      title="Upstream by operation"
      columns={OPERATIONS}
      rows={useLive(({ metrics }) => metrics?.upstreamOperations)}
      keyOf={({ operation }) => operation}
      empty="There were no upstream requests."
    />
  );
});

const ROUTES: Column<RouteMetrics>[] = [
  { label: 'Route', of: ({ route }) => route },
  numeric('Requests/min', ({ requestsPerMinute }) => requestsPerMinute, count),
  numeric('Hit ratio', ({ hitRatio }) => hitRatio, percent),
  numeric('p95', ({ p95Seconds }) => p95Seconds, duration),
];

/** Lists the routes of readers in the last minute. */
const Routes = memo(function Routes() {
  return (
    <GridPanel
      title="Hit ratio by route"
      columns={ROUTES}
      rows={useLive(({ metrics }) => metrics?.routes)}
      keyOf={({ route }) => route}
      empty="There were no requests."
    />
  );
});

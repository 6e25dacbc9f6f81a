import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams } from 'react-router';
import { LinkList } from '#client/dashboard/elements/link-list.tsx';
import { EventList } from '#client/dashboard/live/event-list.tsx';
import { MetricsNow } from '#client/dashboard/live/metrics-now.tsx';
import { Plots } from '#client/dashboard/live/plots.tsx';
import { PROCESS, SERVED } from '#client/dashboard/live/plotted-metrics.ts';
import { ResourceGrid } from '#client/dashboard/live/resource-grid.tsx';
import { RouteGrid } from '#client/dashboard/live/route-grid.tsx';
import { ServiceLevelLine } from '#client/dashboard/live/service-level-line.tsx';
import { LIVE_MINUTES, rangeOf, TIME_RANGES } from '#client/dashboard/live/time-ranges.ts';
import { UpstreamOperations } from '#client/dashboard/live/upstream-operations.tsx';
import { useLive } from '#client/dashboard/live/use-live.ts';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { LivePoint } from '#shared/models/metrics.ts';

const MINUTE_MS = 60_000;
const POLL_MS = 10_000;
/** An address shows what its sender saw. */
const RANGE_LINKS = TIME_RANGES.map(({ minutes, label }) => ({ to: `/overview/${minutes}`, text: label }));
const NOTHING = { points: [], events: [], hitRatios: {} };

/** Renders what matters first: service levels, what readers get, the upstream, resources, routes, the process. `#/overview/360`: six hours. */
export function Component() {
  const { metrics, points } = useLive();
  const ops = useOps();
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
  return (
    <>
      <ServiceLevelLine live={metrics} />
      <MetricsNow live={metrics} />
      <section aria-labelledby="over-time">
        <div className="plots-head">
          <h2 id="over-time">Over time</h2>
          <span className="about">in UTC, and in local time below where that is another</span>
          <LinkList label="Range" className="ranges" current={`/overview/${minutes}`} links={RANGE_LINKS} />
        </div>
        <Plots plots={SERVED} {...range} />
        <EventList events={history.events} />
      </section>
      <UpstreamOperations operations={metrics.upstreamOperations} />
      <ResourceGrid pages={metrics.pages} hitRatios={history.hitRatios} />
      <RouteGrid routes={metrics.routes} />
      <section aria-labelledby="process">
        <div className="plots-head">
          <h2 id="process">Process</h2>
        </div>
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

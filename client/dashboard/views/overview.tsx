import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams } from 'react-router';
import { MetricGroups } from '#client/dashboard/live/metric-groups.tsx';
import { Plots } from '#client/dashboard/live/plots.tsx';
import { ResourceGrid } from '#client/dashboard/live/resource-grid.tsx';
import { ServiceLevelLine } from '#client/dashboard/live/service-level-line.tsx';
import { LIVE_MINUTES, rangeOf } from '#client/dashboard/live/time-ranges.ts';
import { UpstreamOperations } from '#client/dashboard/live/upstream-operations.tsx';
import { useLive } from '#client/dashboard/live/use-live.ts';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { LivePoint } from '#shared/models/metrics.ts';

const MINUTE_MS = 60_000;
const POLL_MS = 10_000;
const NOTHING = { points: [], events: [] };

/** Renders the service levels, the metrics of now, those over time, the upstream, and all resources. `#/overview/360`: six hours. */
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
  return (
    <>
      <ServiceLevelLine live={metrics} />
      <MetricGroups live={metrics} />
      <Plots points={shown} events={history.events} minutes={minutes} />
      <UpstreamOperations operations={metrics.upstreamOperations} />
      <ResourceGrid live={metrics} />
    </>
  );
}

function lastMinutes(points: readonly LivePoint[], minutes: number): readonly LivePoint[] {
  const last = points.at(-1);
  if (!last) return points;
  const since = new Date(Date.parse(last.at) - minutes * MINUTE_MS).toISOString();
  return points.filter(({ at }) => at >= since);
}

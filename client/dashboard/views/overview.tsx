import { useMemo } from 'react';
import { ResourceTable } from '#client/dashboard/elements/resource-table.tsx';
import { MetricGroups } from '#client/dashboard/live/metric-groups.tsx';
import { Plots } from '#client/dashboard/live/plots.tsx';
import { ServiceLevelLine } from '#client/dashboard/live/service-level-line.tsx';
import { LIVE_MINUTES, rangeOf } from '#client/dashboard/live/time-ranges.ts';
import { UpstreamOperations } from '#client/dashboard/live/upstream-operations.tsx';
import { useHistory } from '#client/dashboard/live/use-history.ts';
import type { ViewProps } from '#client/dashboard/use-view.ts';
import type { LivePoint } from '#shared/models/metrics.ts';

const MINUTE_MS = 60_000;

/** Renders the service levels, the metrics of now, those over time, the upstream, and all resources. `#/overview/360`: six hours. */
export function OverviewView({ api, live: { metrics, points }, params: [range] }: ViewProps) {
  const { minutes } = rangeOf(range);
  const history = useHistory(api.history, minutes);
  const shown = useMemo(
    () => (minutes > LIVE_MINUTES ? history.points : lastMinutes(points, minutes)),
    [history.points, points, minutes],
  );
  if (metrics === null) return <p className="about">Waiting for the first metrics…</p>;
  return (
    <>
      <ServiceLevelLine metrics={metrics} />
      <MetricGroups metrics={metrics} />
      <Plots points={shown} events={history.events} minutes={minutes} />
      <UpstreamOperations operations={metrics.upstreamOperations} />
      <ResourceTable metrics={metrics} />
    </>
  );
}

function lastMinutes(points: readonly LivePoint[], minutes: number): readonly LivePoint[] {
  const last = points.at(-1);
  if (!last) return points;
  const since = new Date(Date.parse(last.at) - minutes * MINUTE_MS).toISOString();
  return points.filter(({ at }) => at >= since);
}

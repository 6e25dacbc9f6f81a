import { ResourceTable } from '#client/dashboard/elements/resource-table.tsx';
import { MetricGroups } from '#client/dashboard/live/metric-groups.tsx';
import { Plots } from '#client/dashboard/live/plots.tsx';
import type { ViewProps } from '#client/dashboard/use-view.ts';

/** Renders the metrics of now, the last half hour, and all resources. */
export function OverviewView({ live: { metrics, points } }: ViewProps) {
  if (metrics === null) return <p className="about">Waiting for the first metrics…</p>;
  return (
    <>
      <MetricGroups metrics={metrics} />
      <Plots points={points} />
      <ResourceTable metrics={metrics} />
    </>
  );
}

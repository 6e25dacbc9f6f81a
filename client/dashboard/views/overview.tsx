import { ResourceTable } from '#client/dashboard/elements/resource-table.tsx';
import type { ViewProps } from '#client/dashboard/layout.tsx';
import { MetricGroups } from '#client/dashboard/live/metric-groups.tsx';
import { Plots } from '#client/dashboard/live/plots.tsx';

/** The site at a glance. */
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

import { ResourceTable } from '#client/dashboard/elements/resource-table.tsx';
import type { ViewProps } from '#client/dashboard/layout.tsx';
import { FigureGroups } from '#client/dashboard/live/metric-groups.tsx';
import { Plots } from '#client/dashboard/live/plots.tsx';

/** The site at a glance. */
export function OverviewView({ live: { figures, points } }: ViewProps) {
  if (figures === null) return <p className="about">Waiting for the first figures…</p>;
  return (
    <>
      <FigureGroups figures={figures} />
      <Plots points={points} />
      <ResourceTable figures={figures} />
    </>
  );
}

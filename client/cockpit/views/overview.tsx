import { FigureGroups } from '../figure-groups.tsx';
import { Plots } from '../plots.tsx';
import { ResourceTable } from '../resource-table.tsx';
import type { ViewProps } from '../shell.tsx';

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

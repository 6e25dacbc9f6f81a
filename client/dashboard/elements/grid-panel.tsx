import type { ComponentProps } from 'react';
import { DataGrid } from './data-grid.tsx';
import { Panel } from './panel.tsx';

/** Renders a panel that is one grid, with the panel's title. */
export function GridPanel<T extends object>({
  title,
  section = title,
  ...grid
}: Pick<ComponentProps<typeof Panel>, 'section'> & {
  title: string;
} & Omit<ComponentProps<typeof DataGrid<T>>, 'label'>) {
  return (
    <Panel title={title} section={section}>
      <DataGrid {...grid} label={title} />
    </Panel>
  );
}

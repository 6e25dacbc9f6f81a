import { memo } from 'react';
import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { count, duration, percent } from '#client/dashboard/elements/format.ts';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import type { RouteMetrics } from '#shared/models/metrics.ts';

const TITLE = 'Hit ratio by route';

const COLUMNS: Column<RouteMetrics>[] = [
  { label: 'Route', of: ({ route }) => route },
  { label: 'Requests/min', of: ({ requestsPerMinute }) => count(requestsPerMinute) },
  { label: 'Hit ratio', of: ({ hitRatio }) => percent(hitRatio) },
  { label: 'p95', of: ({ p95Seconds }) => duration(p95Seconds) },
];

/** Lists the routes of readers in the last minute. */
export const RouteGrid = memo(function RouteGrid({ routes }: { routes: readonly RouteMetrics[] }) {
  return (
    <Panel title={TITLE}>
      <DataGrid
        label={TITLE}
        columns={COLUMNS}
        rows={routes}
        keyOf={({ route }) => route}
        empty="There were no requests."
      />
    </Panel>
  );
});

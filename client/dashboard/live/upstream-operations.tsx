import { memo } from 'react';
import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { count, duration, percent } from '#client/dashboard/elements/format.ts';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { isAlarming } from '#shared/alert-thresholds.ts';
import type { UpstreamOperation } from '#shared/models/metrics.ts';

const TITLE = 'Upstream by operation';

const COLUMNS: Column<UpstreamOperation>[] = [
  { label: 'Operation', of: ({ operation }) => operation },
  { label: 'Requests/min', of: ({ requestsPerMinute }) => count(requestsPerMinute) },
  {
    label: 'Error rate',
    of: ({ errorRatio }) => percent(errorRatio),
    isAlarming: ({ errorRatio }) => isAlarming('upstreamErrorRatio', errorRatio),
  },
  { label: 'p95', of: ({ p95Seconds }) => duration(p95Seconds) },
];

/** Lists the upstream's operations of the last minute: is it us or the upstream? */
export const UpstreamOperations = memo(function UpstreamOperations({
  operations,
}: {
  operations: readonly UpstreamOperation[];
}) {
  return (
    <Panel title={TITLE}>
      <DataGrid
        label={TITLE}
        columns={COLUMNS}
        rows={operations}
        keyOf={({ operation }) => operation}
        empty="There were no upstream requests."
      />
    </Panel>
  );
});

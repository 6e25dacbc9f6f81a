import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { count, duration, percent } from '#client/dashboard/elements/format.ts';
import { metricNames } from '#client/dashboard/elements/metric.ts';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { isAlarming } from '#shared/alert-thresholds.ts';
import type { UpstreamOperation } from '#shared/models/metrics.ts';

const COLUMNS: Column<UpstreamOperation>[] = [
  { label: 'Operation', of: ({ operation }) => operation },
  {
    label: 'Requests/min',
    about: 'Requests of this operation a minute, over the last minute.',
    metric: 'upstream_requests_total',
    of: ({ requestsPerMinute }) => count(requestsPerMinute),
  },
  {
    label: 'Error rate',
    about:
      'Share of them without a usable response: network error, timeout, a status outside 2xx, an invalid body.',
    metric: 'upstream_requests_total',
    of: ({ errorRatio }) => percent(errorRatio),
    isAlarming: ({ errorRatio }) => isAlarming('upstreamErrorRatio', errorRatio),
  },
  {
    label: 'p95',
    about: '95 % of the requests of this operation in the last minute took at most this long.',
    metric: 'upstream_request_duration_seconds',
    of: ({ p95Seconds }) => duration(p95Seconds),
  },
];

/** Lists the upstream's operations of the last minute: is it us or the upstream? */
export function UpstreamOperations({ operations }: { operations: readonly UpstreamOperation[] }) {
  return (
    <Panel title="Upstream by operation" docs="upstream-outage" metrics={metricNames(COLUMNS)}>
      <p className="about">
        Of the last minute: most failures first, then the slowest.
        {operations.length === 0 && ' There were no upstream requests.'}
      </p>
      {operations.length > 0 && (
        <DataGrid
          label="Upstream by operation"
          columns={COLUMNS}
          rows={operations}
          keyOf={({ operation }) => operation}
        />
      )}
    </Panel>
  );
}

import { memo } from 'react';
import { type Grid, GridPanel } from '#client/dashboard/elements/data-grid.tsx';
import { count, duration, percent } from '#client/dashboard/elements/format.ts';
import { numeric } from '#client/dashboard/elements/metric.ts';
import type { RouteMetrics, UpstreamOperation } from '#shared/models/metrics.ts';
import { useLive } from './use-live.ts';

const OPERATIONS: Grid<UpstreamOperation> = {
  columns: [
    { label: 'Operation', of: ({ operation }) => operation },
    numeric('Requests/min', ({ requestsPerMinute }) => requestsPerMinute, count),
    numeric('Error rate', ({ errorRatio }) => errorRatio, percent, 'upstreamErrorRatio'),
    numeric('p95', ({ p95Seconds }) => p95Seconds, duration),
  ],
  keyOf: ({ operation }) => operation,
  empty: 'There were no upstream requests.',
};

const ROUTES: Grid<RouteMetrics> = {
  columns: [
    { label: 'Route', of: ({ route }) => route },
    numeric('Requests/min', ({ requestsPerMinute }) => requestsPerMinute, count),
    numeric('Hit ratio', ({ hitRatio }) => hitRatio, percent),
    numeric('p95', ({ p95Seconds }) => p95Seconds, duration),
  ],
  keyOf: ({ route }) => route,
  empty: 'There were no requests.',
};

/** Lists the upstream's operations of the last minute: is it us or the upstream? */
export const UpstreamOperations = memo(function UpstreamOperations() {
  const rows = useLive(({ metrics }) => metrics?.upstreamOperations);
  return <GridPanel title="Upstream by operation" {...OPERATIONS} rows={rows} />;
});

/** Lists the routes of readers in the last minute. */
export const Routes = memo(function Routes() {
  const rows = useLive(({ metrics }) => metrics?.routes);
  return <GridPanel title="Hit ratio by route" {...ROUTES} rows={rows} />;
});

import { useMemo } from 'react';
import { duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import type { LivePoint, Quantiles } from '#shared/models/metrics.ts';
import { type Line, Plot, type PlotProps } from './plot.tsx';

type LineOf = Omit<Line, 'values'> & { of: (point: LivePoint) => number | null };
type PlotOf = Omit<PlotProps, 'times' | 'lines'> & { lines: LineOf[] };

const FIRST = { colour: '--good' };
const SECOND = { colour: '--cool', dash: [6, 3] };
const THIRD = { colour: '--warn', dash: [2, 3] };

/** Returns p50, p95 and p99 as lines. */
function quantileLines(of: (point: LivePoint) => Quantiles | null): LineOf[] {
  return [
    { label: 'p50', ...FIRST, of: (point) => of(point)?.p50 ?? null },
    { label: 'p95', ...SECOND, of: (point) => of(point)?.p95 ?? null },
    { label: 'p99', ...THIRD, of: (point) => of(point)?.p99 ?? null },
  ];
}

const PLOTS: PlotOf[] = [
  {
    title: 'Hit ratio',
    metrics: ['cache_requests_total'],
    format: percent,
    top: 1,
    lines: [
      { label: 'pages', ...FIRST, of: ({ requests }) => requests.hitRatio },
      { label: 'data', ...SECOND, of: ({ cache }) => cache.hitRatio },
      { label: 'data, stale', ...THIRD, of: ({ cache }) => cache.staleRatio },
    ],
  },
  {
    title: 'Request duration',
    metrics: ['http_request_duration_seconds'],
    format: duration,
    lines: quantileLines(({ requests }) => requests.durationSeconds),
  },
  {
    title: 'Upstream latency',
    metrics: ['upstream_request_duration_seconds'],
    format: duration,
    lines: quantileLines(({ upstream }) => upstream.durationSeconds),
  },
  {
    title: 'Requests/s',
    metrics: ['http_requests_total', 'upstream_requests_total'],
    format: perSecond,
    lines: [
      { label: 'requests', ...FIRST, of: ({ requests }) => requests.perSecond },
      { label: 'upstream requests', ...SECOND, of: ({ upstream }) => upstream.requestsPerSecond },
    ],
  },
  {
    title: 'Error rate',
    metrics: ['http_requests_total', 'upstream_requests_total'],
    format: percent,
    lines: [
      { label: 'requests', ...FIRST, of: ({ requests }) => requests.errorRatio },
      { label: 'upstream requests', ...SECOND, of: ({ upstream }) => upstream.errorRatio },
    ],
  },
];

/** Renders the last half hour; the axes are in UTC. */
export function Plots({ points }: { points: readonly LivePoint[] }) {
  const times = useMemo(() => points.map(({ at }) => Date.parse(at) / 1000), [points]);
  return (
    <section className="plots" aria-labelledby="plots-title">
      <h2 id="plots-title" className="visually-hidden">
        The last half hour
      </h2>
      {PLOTS.map(({ lines, ...plot }) => (
        <Plot
          key={plot.title}
          {...plot}
          times={times}
          lines={lines.map(({ of, ...line }) => ({ ...line, values: points.map(of) }))}
        />
      ))}
    </section>
  );
}

import { useMemo } from 'react';
import { duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import type { LivePoint, MetricsEvent, Quantiles, StatusClass } from '#shared/models/metrics.ts';
import { EventList } from './event-list.tsx';
import { type Line, Plot, type PlotProps } from './plot.tsx';
import { RangeLinks } from './range-links.tsx';

type LineOf = Omit<Line, 'values'> & { of: (point: LivePoint) => number | null };
type PlotOf = Omit<PlotProps, 'times' | 'lines' | 'from' | 'to' | 'events'> & { lines: LineOf[] };

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

/** Returns the line of a class of statuses. */
function classLine(name: StatusClass, look: Pick<LineOf, 'colour' | 'dash'>): LineOf {
  return { label: name, ...look, of: ({ requests }) => requests.perSecondByClass[name] };
}

const PLOTS: PlotOf[] = [
  {
    title: 'Requests/s by status',
    metrics: ['http_requests_total'],
    format: perSecond,
    lines: [
      classLine('2xx', FIRST),
      classLine('3xx', SECOND),
      classLine('4xx', THIRD),
      classLine('5xx', { colour: '--bad' }),
    ],
  },
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
    isLogarithmic: true,
    lines: quantileLines(({ requests }) => requests.durationSeconds),
  },
  {
    title: 'Request duration, misses',
    metrics: ['http_cache_miss_duration_seconds'],
    format: duration,
    isLogarithmic: true,
    lines: quantileLines(({ requests }) => requests.missSeconds),
  },
  {
    title: 'Upstream latency',
    metrics: ['upstream_request_duration_seconds'],
    format: duration,
    isLogarithmic: true,
    lines: quantileLines(({ upstream }) => upstream.durationSeconds),
  },
  {
    title: 'Requests/s and upstream requests/s',
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

/** Renders the last `minutes`: plots under one cursor, and what happened meanwhile. Axes are in UTC and local time. */
export function Plots({
  points,
  events,
  minutes,
}: {
  points: readonly LivePoint[];
  events: readonly MetricsEvent[];
  minutes: number;
}) {
  const times = useMemo(() => points.map(({ at }) => Date.parse(at) / 1000), [points]);
  const to = times.at(-1) ?? 0;
  const from = to - minutes * 60;
  return (
    <section aria-labelledby="plots-title">
      <div className="plots-head">
        <h2 id="plots-title">Over time</h2>
        <RangeLinks minutes={minutes} />
      </div>
      <div className="plots">
        {PLOTS.map(({ lines, ...plot }) => (
          <Plot
            key={plot.title}
            {...plot}
            times={times}
            lines={lines.map(({ of, ...line }) => ({ ...line, values: points.map(of) }))}
            from={from}
            to={to}
            events={events}
          />
        ))}
      </div>
      <EventList events={events} />
    </section>
  );
}

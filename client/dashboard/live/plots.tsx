import { useMemo } from 'react';
import { count, duration, percent } from '#client/dashboard/elements/format.ts';
import type { LivePoint } from '#shared/models/metrics.ts';
import { type Line, Plot } from './plot.tsx';

/** What each line of a plot is, and how it is read off a point. */
type LineOf = Omit<Line, 'values'> & { of: (point: LivePoint) => number | null };

const MEMORY: LineOf[] = [
  { label: 'pages', colour: '--good', of: ({ readers }) => readers.pageHitRatio },
  { label: 'data', colour: '--cool', dash: [6, 3], of: ({ data }) => data.hitRatio },
  { label: 'stale', colour: '--warn', dash: [2, 3], of: ({ data }) => data.staleRatio },
];

const RESPONSES: LineOf[] = [
  { label: 'half', colour: '--good', of: ({ readers }) => readers.seconds?.p50 ?? null },
  { label: '95 %', colour: '--cool', dash: [6, 3], of: ({ readers }) => readers.seconds?.p95 ?? null },
  { label: '99 %', colour: '--warn', dash: [2, 3], of: ({ readers }) => readers.seconds?.p99 ?? null },
];

const UPSTREAM: LineOf[] = [
  { label: 'half', colour: '--good', of: ({ upstream }) => upstream.seconds?.p50 ?? null },
  { label: '95 %', colour: '--cool', dash: [6, 3], of: ({ upstream }) => upstream.seconds?.p95 ?? null },
];

const TRAFFIC: LineOf[] = [
  { label: 'responses', colour: '--good', of: ({ readers }) => readers.perSecond },
  { label: 'calls', colour: '--cool', dash: [6, 3], of: ({ upstream }) => upstream.callsPerSecond },
  { label: 'call errors', colour: '--bad', dash: [2, 3], of: ({ upstream }) => upstream.errorsPerSecond },
];

/** The last half hour, as it goes on. */
export function Plots({ points }: { points: readonly LivePoint[] }) {
  const times = useMemo(() => points.map(({ at }) => Date.parse(at) / 1000), [points]);
  return (
    <section className="plots" aria-labelledby="plots-title">
      <h2 id="plots-title" className="visually-hidden">
        The last half hour
      </h2>
      <Plot title="From memory" times={times} lines={linesOf(MEMORY, points)} format={percent} top={1} />
      <Plot title="Time of an answer" times={times} lines={linesOf(RESPONSES, points)} format={duration} />
      <Plot
        title="Time of an upstream call"
        times={times}
        lines={linesOf(UPSTREAM, points)}
        format={duration}
      />
      <Plot title="A second" times={times} lines={linesOf(TRAFFIC, points)} format={count} />
    </section>
  );
}

function linesOf(lines: readonly LineOf[], points: readonly LivePoint[]): Line[] {
  return lines.map(({ of, ...line }) => ({ ...line, values: points.map(of) }));
}

import { useMemo } from 'react';
import type { LivePoint, MetricsEvent } from '#shared/models/metrics.ts';
import { Plot } from './plot.tsx';
import type { PlottedMetrics } from './plotted-metrics.ts';

/** Renders the last `minutes` as plots under one cursor. Axes are in UTC and local time. */
export function Plots({
  plots,
  points,
  events,
  minutes,
}: {
  plots: readonly PlottedMetrics[];
  points: readonly LivePoint[];
  events: readonly MetricsEvent[];
  minutes: number;
}) {
  const times = useMemo(() => points.map(({ at }) => Date.parse(at) / 1000), [points]);
  const last = points.at(-1);
  const to = times.at(-1) ?? 0;
  return (
    <div className="plots">
      {plots
        .filter(({ isShown }) => !isShown || (last && isShown(last)))
        .map((metrics) => (
          <Plot
            key={metrics.title}
            metrics={metrics}
            times={times}
            points={points}
            from={to - minutes * 60}
            to={to}
            events={events}
          />
        ))}
    </div>
  );
}

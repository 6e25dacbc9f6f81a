import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import UPlot from 'uplot';
import { SectionHeading } from '#client/dashboard/elements/explained.tsx';
import { axisTime, clockTime } from '#client/dashboard/elements/format.ts';
import { MetricList } from '#client/dashboard/elements/metrics.tsx';
import { MetricLinks } from '#client/dashboard/elements/panel.tsx';
import type { LivePoint, MetricsEvent } from '#shared/models/metrics.ts';
import type { PlottedMetrics } from './plotted-metrics.ts';
import 'uplot/dist/uPlot.min.css';

interface Range {
  points: readonly LivePoint[];
  /** Marked by vertical lines. */
  events: readonly MetricsEvent[];
  minutes: number;
}

/** Of the lines, in their order: custom properties of the style sheet, and dashes. */
const LOOKS = [
  { colour: '--good', dash: [] },
  { colour: '--cool', dash: [6, 3] },
  { colour: '--warn', dash: [2, 3] },
  { colour: '--bad', dash: [10, 2, 2, 2] },
];
const lookOf = (index: number) => LOOKS[index % LOOKS.length] ?? { colour: '--ink', dash: [] };
const style = getComputedStyle(document.documentElement);
const colourOf = (name: string) => style.getPropertyValue(name);
const secondsOf = ({ at }: { at: string }) => Date.parse(at) / 1_000;

const HEIGHT = 148;
const FONT = '11px "Inter Variable", system-ui, sans-serif';
/** All plots show the same moment under the pointer. */
const SYNC = 'dashboard';
/** Whole minutes, so that no two labels are the same. */
const STEPS_SECONDS = [60, 300, 600, 1_800, 3_600, 7_200, 14_400, 21_600];

/** Renders the last `minutes` as plots under one cursor. Axes are in UTC and local time. */
export function Plots({ plots, ...range }: Range & { plots: readonly PlottedMetrics[] }) {
  const { points } = range;
  const times = useMemo(() => points.map(secondsOf), [points]);
  const last = points.at(-1);
  return (
    <div className="plots">
      {plots
        .filter(({ isShown }) => !isShown || (last && isShown(last)))
        .map((metrics) => (
          <Plot key={metrics.title} metrics={metrics} times={times} {...range} />
        ))}
    </div>
  );
}

interface PlotProps extends Range {
  metrics: PlottedMetrics;
  /** Of the points, in seconds since 1970. */
  times: number[];
}

/** Renders lines over time, and their values as text: at the pointer, else the latest. */
function Plot({ metrics, times, points, events, minutes }: PlotProps) {
  const { title, lines } = metrics;
  const id = useId();
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const paint = useEffectEvent((painted: UPlot) => paintEvents(painted, events));

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const hooks = {
      setCursor: [({ cursor }: UPlot) => setPointed(cursor.idx ?? null)],
      draw: [(painted: UPlot) => paint(painted)],
    };
    const made = new UPlot({ ...optionsOf(metrics), width: element.clientWidth, hooks }, [[]], element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [metrics]);

  useEffect(() => {
    const max = times.at(-1) ?? 0;
    plot.current?.setData([times, ...lines.map(({ numberOf }) => points.map(numberOf))], false);
    plot.current?.setScale('x', { min: max - minutes * 60, max });
  }, [times, points, lines, minutes]);

  const point = points[pointed ?? -1] ?? points.at(-1);
  return (
    <figure className="plot" aria-labelledby={id}>
      <figcaption>
        <h3 id={id}>{title}</h3>
        <MetricLinks section={title} labelledBy={id} />
        <SectionHeading value={title}>
          {point && <MetricList metrics={lines} source={point} markOf={swatchOf} />}
        </SectionHeading>
        <time>{point ? clockTime(new Date(point.at)) : '–'}</time>
      </figcaption>
      <div ref={container} className="plot-canvas" aria-hidden="true" />
    </figure>
  );
}

function swatchOf(index: number) {
  const { colour, dash } = lookOf(index);
  return (
    <svg viewBox="0 0 18 4" aria-hidden="true">
      <path d="M0 2h18" stroke={`var(${colour})`} strokeDasharray={dash.join(' ')} />
    </svg>
  );
}

function optionsOf({ lines, scale: { format, top, leastTop = 0.01, ticks } }: PlottedMetrics) {
  const axis = {
    stroke: colourOf('--ink-faint'),
    font: FONT,
    grid: { stroke: colourOf('--rule-faint'), width: 1 },
    ticks: { show: false },
  };
  const timeAxis: UPlot.Axis = {
    ...axis,
    size: 40,
    space: 38,
    incrs: STEPS_SECONDS,
    values: (_plot, splits) => splits.map((at) => axisTime(new Date(at * 1_000)).join('\n')),
  };
  const valueAxis: UPlot.Axis = {
    ...axis,
    size: 56,
    space: 32,
    values: (_plot, splits) => splits.map((value) => format(value)),
    ...(ticks && {
      splits: () => ticks,
      // The default leaves out what is not a power of ten, and labels that it holds to be too close.
      filter: (_plot, splits) => splits,
    }),
  };
  // A scale of zero height would show nothing.
  const linear: UPlot.Scale = { range: (_plot, _low, high) => [0, top ?? Math.max(high * 1.1, leastTop)] };
  return {
    height: HEIGHT,
    // Half a label on the right.
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: SYNC }, points: { size: 5 }, drag: { x: false, y: false } },
    scales: {
      x: { time: true },
      y: ticks ? { distr: 3, range: [ticks[0] ?? 0, ticks.at(-1) ?? 1] } : linear,
    },
    axes: [timeAxis, valueAxis],
    series: [
      {},
      ...lines.map(({ label }, index) => ({
        label,
        stroke: colourOf(lookOf(index).colour),
        dash: lookOf(index).dash,
        width: 1.5,
        points: { show: false },
      })),
    ],
  } satisfies Partial<UPlot.Options>;
}

/** Paints a vertical line at each event within the range. */
function paintEvents({ ctx, bbox, valToPos }: UPlot, events: readonly MetricsEvent[]): void {
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const event of events) {
    const x = Math.round(valToPos(secondsOf(event), 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = colourOf(event.kind === 'circuit-breaker' ? '--bad' : '--ink-soft');
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

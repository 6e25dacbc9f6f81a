import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import UPlot from 'uplot';
import { Explained, SectionHeading } from '#client/dashboard/elements/explained.tsx';
import { axisTime, clockTime } from '#client/dashboard/elements/format.ts';
import { MetricLinks } from '#client/dashboard/elements/metric-links.tsx';
import type { LivePoint, MetricsEvent } from '#shared/models/metrics.ts';
import type { PlottedMetrics } from './plotted-metrics.ts';
import 'uplot/dist/uPlot.min.css';

export interface PlotProps {
  metrics: PlottedMetrics;
  /** Seconds since 1970, one for each point. */
  times: number[];
  points: readonly LivePoint[];
  /** The ends of the time axis, in seconds since 1970. */
  from: number;
  to: number;
  /** Marked by vertical lines. */
  events: readonly MetricsEvent[];
}

/** Of the lines, in their order: custom properties of the style sheet, and dashes. */
const LOOKS = [
  { colour: '--good', dash: [] },
  { colour: '--cool', dash: [6, 3] },
  { colour: '--warn', dash: [2, 3] },
  { colour: '--bad', dash: [10, 2, 2, 2] },
];
const lookOf = (index: number) => LOOKS[index % LOOKS.length] ?? { colour: '--ink', dash: [] };

const HEIGHT = 148;
const FONT = '11px "Inter Variable", system-ui, sans-serif';
/** All plots show the same moment under the pointer. */
const SYNC = 'dashboard';

/** Renders lines over time, and their values as text: at the pointer, else the latest. */
export function Plot({ metrics, times, points, from, to, events }: PlotProps) {
  const { title, lines, format } = metrics;
  const id = useId();
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const marks = useRef<readonly MetricsEvent[]>([]);
  const [pointed, setPointed] = useState<number | null>(null);
  const createPlot = useEffectEvent(
    (element: HTMLElement) =>
      new UPlot(
        optionsOf(metrics, element.clientWidth, setPointed, (painted) => paintEvents(painted, marks.current)),
        [[]],
        element,
      ),
  );

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const made = createPlot(element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, []);

  useEffect(() => {
    marks.current = events;
    plot.current?.setData([times, ...lines.map(({ of }) => points.map(of))], false);
    plot.current?.setScale('x', { min: from, max: to });
  }, [times, points, lines, from, to, events]);

  const shown = pointed !== null && pointed < times.length ? pointed : times.length - 1;
  const point = points[shown];
  return (
    <figure className="plot" aria-labelledby={id}>
      <figcaption>
        <h3 id={id}>{title}</h3>
        <MetricLinks section={title} labelledBy={id} />
        <SectionHeading value={title}>
          <ul>
            {lines.map((line, index) => {
              const value = point ? line.of(point) : null;
              const { colour, dash } = lookOf(index);
              return (
                <li key={line.label}>
                  <svg viewBox="0 0 18 4" aria-hidden="true">
                    <path d="M0 2h18" stroke={`var(${colour})`} strokeDasharray={dash.join(' ')} />
                  </svg>
                  {line.label}{' '}
                  <Explained label={line.label} isAlarming={line.isAlarming?.(value)}>
                    {(line.format ?? format)(value)}
                  </Explained>
                </li>
              );
            })}
          </ul>
        </SectionHeading>
        <time>{point ? clockTime(new Date(point.at)) : '–'}</time>
      </figcaption>
      <div ref={container} className="plot-canvas" aria-hidden="true" />
    </figure>
  );
}

function optionsOf(
  { lines, format, top, leastTop = 0.01, ticks }: PlottedMetrics,
  width: number,
  onPoint: (index: number | null) => void,
  onPaint: (plot: UPlot) => void,
): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colourOf = (name: string) => style.getPropertyValue(name);
  const axis = {
    stroke: colourOf('--ink-faint'),
    font: FONT,
    grid: { stroke: colourOf('--rule-faint'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT,
    // Half a label on the right.
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: SYNC }, points: { size: 5 }, drag: { x: false, y: false } },
    scales: {
      x: { time: true },
      // A scale of zero height would show nothing.
      y: ticks
        ? { distr: 3, range: [ticks[0] ?? 0, ticks.at(-1) ?? 1] }
        : { range: (_plot, _low, high) => [0, top ?? Math.max(high * 1.1, leastTop)] },
    },
    axes: [
      {
        ...axis,
        size: 40,
        space: 38,
        incrs: STEPS_SECONDS,
        values: (_plot, splits) => splits.map((at) => axisTime(new Date(at * 1000)).join('\n')),
      },
      {
        ...axis,
        size: 56,
        space: 32,
        values: (_plot, splits) => splits.map((value) => format(value)),
        ...(ticks && {
          splits: () => ticks,
          // The default leaves out what is not a power of ten, and labels that it holds to be too close.
          filter: (_plot: UPlot, splits: number[]) => splits,
        }),
      },
    ],
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
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)], draw: [onPaint] },
  };
}

/** Whole minutes, so that no two labels are the same. */
const STEPS_SECONDS = [60, 300, 600, 1_800, 3_600, 7_200, 14_400, 21_600];

/** Paints a vertical line at each event within the range. */
function paintEvents({ ctx, bbox, valToPos }: UPlot, events: readonly MetricsEvent[]): void {
  const style = getComputedStyle(document.documentElement);
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { at, kind } of events) {
    const x = Math.round(valToPos(Date.parse(at) / 1000, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = style.getPropertyValue(kind === 'circuit-breaker' ? '--bad' : '--ink-soft');
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

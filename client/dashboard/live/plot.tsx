import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import UPlot from 'uplot';
import { clockTime } from '#client/dashboard/elements/format.ts';
import { MetricNames } from '#client/dashboard/elements/metric-names.tsx';
import 'uplot/dist/uPlot.min.css';

/** One line of a plot. Lines differ in dash as well as in colour. */
export interface Line {
  label: string;
  /** A custom property of the style sheet. */
  colour: string;
  dash?: number[];
  values: (number | null)[];
}

export interface PlotProps {
  title: string;
  /** Their names in Prometheus. */
  metrics: readonly string[];
  /** Seconds since 1970, one for each value. */
  times: number[];
  lines: Line[];
  format: (value: number | null) => string;
  /** The top of the scale where it is known. */
  top?: number | undefined;
}

const HEIGHT = 132;
/** All plots show the same moment under the pointer. */
const SYNC = 'dashboard';

/** Renders lines over time, and their values as text: at the pointer, else the latest. */
export function Plot({ title, metrics, times, lines, format, top }: PlotProps) {
  const id = useId();
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const createPlot = useEffectEvent(
    (element: HTMLElement) =>
      new UPlot(optionsOf({ lines, format, top }, element.clientWidth, setPointed), [[]], element),
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
    plot.current?.setData([times, ...lines.map(({ values }) => values)]);
  }, [times, lines]);

  const shown = pointed !== null && pointed < times.length ? pointed : times.length - 1;
  return (
    <figure className="plot" aria-labelledby={id}>
      <figcaption>
        <h3 id={id}>{title}</h3>
        <MetricNames names={metrics} />
        <ul>
          {lines.map(({ label, colour, dash, values }) => (
            <li key={label}>
              <svg viewBox="0 0 18 4" aria-hidden="true">
                <path
                  d="M0 2h18"
                  stroke={`var(${colour})`}
                  strokeWidth="2"
                  strokeDasharray={dash?.join(' ')}
                />
              </svg>
              {label} <b>{format(values[shown] ?? null)}</b>
            </li>
          ))}
        </ul>
        <time>{times.length === 0 ? '–' : clockTime(new Date((times[shown] ?? 0) * 1000))}</time>
      </figcaption>
      <div ref={container} className="plot-canvas" aria-hidden="true" />
    </figure>
  );
}

function optionsOf(
  { lines, format, top }: Pick<PlotProps, 'lines' | 'format' | 'top'>,
  width: number,
  onPoint: (index: number | null) => void,
): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colourOf = (name: string) => style.getPropertyValue(name);
  const axis = {
    stroke: colourOf('--ink-faint'),
    font: '11px "Inter Variable", system-ui, sans-serif',
    grid: { stroke: colourOf('--rule-faint'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: SYNC }, points: { size: 5 }, drag: { x: false, y: false } },
    scales: {
      x: { time: true },
      // A scale of zero height would show nothing.
      y: { range: (_plot, _low, high) => [0, top ?? Math.max(high * 1.1, 0.01)] },
    },
    axes: [
      { ...axis, size: 24, space: 64, values: (_plot, splits) => splits.map(utcTime) },
      { ...axis, size: 56, space: 32, values: (_plot, splits) => splits.map((value) => format(value)) },
    ],
    series: [
      {},
      ...lines.map(({ label, colour, dash }) => ({
        label,
        stroke: colourOf(colour),
        width: 1.5,
        points: { show: false },
        ...(dash && { dash }),
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

function utcTime(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString('en-GB', { timeZone: 'UTC' });
}

import { useEffect, useId, useRef, useState } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** One line of a plot. Lines differ in dash as well as in colour. */
export interface Line {
  label: string;
  /** A token of the style sheet. */
  colour: string;
  dash?: number[];
  values: (number | null)[];
}

export interface PlotProps {
  title: string;
  /** Seconds since 1970, one for each value. */
  times: number[];
  lines: Line[];
  format: (value: number | null) => string;
  /** The top of the scale where it is known. */
  top?: number | undefined;
}

const HEIGHT = 132;
/** Plots show the same moment under the pointer. */
const SYNC = 'cockpit';

/** Lines over time, with their values in words: of the moment under the pointer, else of now. */
export function Plot({ title, times, lines, format, top }: PlotProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const rendered = useRef({ lines, format, top });
  rendered.current = { lines, format, top };

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = new UPlot(optionsOf(rendered.current, element.clientWidth, setPointed), [[]], element);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
    };
  }, []);

  useEffect(() => {
    plot.current?.setData([times, ...lines.map(({ values }) => values)]);
  }, [times, lines]);

  const at = pointed !== null && pointed < times.length ? pointed : times.length - 1;
  return (
    <figure className="plot" aria-labelledby={id}>
      <figcaption>
        <h3 id={id}>{title}</h3>
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
              {label} <b>{format(values[at] ?? null)}</b>
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={place} className="plot-place" aria-hidden="true" />
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
      // A flat line at nothing still has a scale.
      y: { range: (_plot, _low, high) => [0, top ?? Math.max(high * 1.1, 0.001)] },
    },
    axes: [
      { ...axis, size: 24, space: 64, values: (_plot, splits) => splits.map(timeOfDay) },
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

function timeOfDay(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString('en-GB');
}

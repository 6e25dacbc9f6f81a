import { useId, useState } from 'react';
import { axisTime, clockTime } from '#client/dashboard/elements/format.ts';

/** A line or an area of a plot. */
export interface PlottedSeries {
  label: string;
  /** Prometheus name of what it is made of. */
  metric: string;
  /** By sample; null: not known. */
  values: readonly (number | null)[];
  /** Class of the style sheet: its colour. */
  tone: 'good' | 'cool' | 'warn' | 'bad' | 'faint';
  /** Marked where it means harm. */
  isAlarming?: boolean;
}

interface PlotProps {
  title: string;
  /** Wall milliseconds of each sample. */
  at: readonly number[];
  series: readonly PlottedSeries[];
  format: (value: number | null) => string;
  /** Areas on top of each other. */
  isStacked?: boolean;
}

const WIDTH = 320;
const HEIGHT = 110;
const BOTTOM = HEIGHT - 14;
const TOP = 4;
const MAX_POINTS = 180;

/** Plots series over time; their values as text are those under the pointer, else the latest. */
export function Plot({ title, at, series, format, isStacked = false }: PlotProps) {
  const id = useId();
  const [pointed, setPointed] = useState<number | null>(null);
  const first = at[0] ?? 0;
  const span = Math.max(1, (at.at(-1) ?? 0) - first);
  const xOf = (index: number) => (((at[index] ?? 0) - first) / span) * WIDTH;
  const lines = isStacked ? stacked(series) : series.map(({ values }) => values);
  const max = Math.max(Number.EPSILON, ...lines.flat().map((value) => value ?? 0));
  const yOf = (value: number) => BOTTOM - (value / max) * (BOTTOM - TOP);
  const shown = pointed ?? at.length - 1;

  function point(clientX: number, box: DOMRect): void {
    const time = first + ((clientX - box.left) / box.width) * span;
    setPointed(
      at.reduce(
        (best, one, index) => (Math.abs(one - time) < Math.abs((at[best] ?? 0) - time) ? index : best),
        0,
      ),
    );
  }

  return (
    <section className="plot" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span className="about">{pointed !== null && clockTime(new Date(at[pointed] ?? 0))}</span>
      </h2>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerMove={({ clientX, currentTarget }) => point(clientX, currentTarget.getBoundingClientRect())}
        onPointerLeave={() => setPointed(null)}
      >
        <path className="axis" d={`M0 ${BOTTOM}H${WIDTH}M0 ${TOP}H${WIDTH}`} />
        {[...lines.entries()].reverse().map(([nth, values]) => (
          <path
            key={series[nth]?.label}
            className={`${isStacked ? 'area' : 'line'} ${series[nth]?.tone}`}
            d={pathOf(thinned(values), xOf, yOf, isStacked)}
          />
        ))}
        {pointed !== null && <path className="cursor" d={`M${xOf(pointed)} ${TOP}V${BOTTOM}`} />}
      </svg>
      <div className="axis-labels about" aria-hidden="true">
        <span>{axisTime(new Date(first))[0]}</span>
        <span>max {format(max === Number.EPSILON ? 0 : max)}</span>
        <span>{axisTime(new Date(at.at(-1) ?? 0))[0]}</span>
      </div>
      <dl className="legend">
        {series.map(({ label, metric, values, tone, isAlarming }) => (
          <div key={label} title={metric}>
            <dt className={tone}>{label}</dt>
            <dd className={isAlarming ? 'alarming' : ''}>{format(values[shown] ?? null)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Returns the sums of each series and those before it. */
function stacked(series: readonly PlottedSeries[]): (number | null)[][] {
  const sums: (number | null)[][] = [];
  for (const { values } of series) {
    const before = sums.at(-1);
    sums.push(values.map((value, index) => (value === null ? null : value + (before?.[index] ?? 0))));
  }
  return sums;
}

/** Returns index and value of at most `MAX_POINTS` samples: of several the highest. */
function thinned(values: readonly (number | null)[]): [index: number, value: number | null][] {
  const step = Math.max(1, Math.ceil(values.length / MAX_POINTS));
  const points: [number, number | null][] = [];
  for (let start = 0; start < values.length; start += step) {
    let best = start;
    for (let index = start; index < Math.min(start + step, values.length); index++)
      if ((values[index] ?? -1) > (values[best] ?? -1)) best = index;
    points.push([best, values[best] ?? null]);
  }
  return points;
}

function pathOf(
  points: readonly (readonly [index: number, value: number | null])[],
  xOf: (index: number) => number,
  yOf: (value: number) => number,
  isArea: boolean,
): string {
  let path = '';
  let open: number | null = null;
  let last = 0;
  const close = () => {
    if (isArea && open !== null) path += `L${last.toFixed(1)} ${BOTTOM}L${open.toFixed(1)} ${BOTTOM}Z`;
    open = null;
  };
  for (const [index, value] of points) {
    if (value === null) {
      close();
      continue;
    }
    const x = xOf(index);
    path += `${open === null ? 'M' : 'L'}${x.toFixed(1)} ${yOf(value).toFixed(1)}`;
    open ??= x;
    last = x;
  }
  close();
  return path;
}

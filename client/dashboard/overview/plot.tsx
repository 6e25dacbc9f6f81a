import { useId } from 'react';
import type { RateLine } from '#shared/metric-declarations.ts';

/** A line of a plot. */
export interface PlottedSeries {
  label: string;
  /** Prometheus name of what it is made of. */
  metric: string;
  /** By point; null: not known. */
  values: readonly (number | null)[];
  tone: RateLine['tone'];
  /** Shown in place of the latest value. */
  text?: string;
  /** Marked where it means harm. */
  isAlarming?: boolean;
}

interface PlotProps {
  title: string;
  /** Place of each point on the axis, ascending. */
  x: readonly number[];
  /** Labels of both ends of the axis. */
  ends: readonly [string, string];
  series: readonly PlottedSeries[];
  format: (value: number | null) => string;
}

const WIDTH = 320;
const HEIGHT = 110;
const BOTTOM = HEIGHT - 2;
const TOP = 4;

/** Plots lines, with the latest value of each as text. A gap stays one. */
export function Plot({ title, x, ends, series, format }: PlotProps) {
  const id = useId();
  const first = x[0] ?? 0;
  const span = Math.max(Number.EPSILON, (x.at(-1) ?? 0) - first);
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const max = Math.max(0, ...known);

  function pathOf(values: PlottedSeries['values']): string {
    return values
      .map((value, index) => {
        if (value === null) return '';
        const left = (((x[index] ?? 0) - first) / span) * WIDTH;
        const top = BOTTOM - (max === 0 ? 0 : value / max) * (BOTTOM - TOP);
        const isBegin = (values[index - 1] ?? null) === null;
        // A line of no length: a point alone is seen too.
        return isBegin ? `M${left.toFixed(1)} ${top.toFixed(1)}h0` : `L${left.toFixed(1)} ${top.toFixed(1)}`;
      })
      .join('');
  }

  return (
    <section className="plot" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="axis" d={`M0 ${BOTTOM}H${WIDTH}M0 ${TOP}H${WIDTH}`} />
        {series.map(
          ({ label, tone, values }) =>
            // A line at zero would lie over the others.
            values.some(Boolean) && <path key={label} className={`line ${tone}`} d={pathOf(values)} />,
        )}
      </svg>
      <div className="axis-labels about" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>max {format(known.length === 0 ? null : max)}</span>
        <span>{ends[1]}</span>
      </div>
      <dl className="legend">
        {series.map(({ label, metric, values, tone, text, isAlarming }) => (
          <div key={label} title={metric}>
            <dt className={tone}>{label}</dt>
            <dd className={isAlarming ? 'alarming' : ''}>{text ?? format(values.at(-1) ?? null)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

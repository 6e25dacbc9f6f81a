import type { ReactNode } from 'react';
import { isAlarming, type ThresholdAlert } from '#shared/alert-rules.ts';
import { Explained } from './explained.tsx';

/** A value as the dashboard shows it, read from a `T`. Its label names its explanation (`explanations.ts`). */
export interface Metric<T> {
  label: string;
  of: (source: T) => ReactNode;
  isAlarming?: (source: T) => boolean;
  /** Stands below the value in a list. */
  note?: (source: T) => string;
}

export interface NumericMetric<T> extends Metric<T> {
  /** Null: nothing was counted. */
  numberOf: (source: T) => number | null;
}

/** Makes a metric of a number. It is alarming above the threshold of `alert`. */
export function numeric<T>(
  label: string,
  numberOf: (source: T) => number | null,
  format: (value: number | null) => string,
  alert?: ThresholdAlert,
): NumericMetric<T> {
  return {
    label,
    numberOf,
    of: (source) => format(numberOf(source)),
    isAlarming: (source) => alert !== undefined && isAlarming(alert, numberOf(source)),
  };
}

interface MetricListProps<T> {
  metrics: readonly Metric<T>[];
  source: T;
  /** Stands before a label. */
  markOf?: (index: number) => ReactNode;
}

/** Lists metrics with their values. */
export function MetricList<T>({ metrics, source, markOf }: MetricListProps<T>) {
  return (
    <dl className="facts">
      {metrics.map(({ label, of, isAlarming, note }, index) => (
        <div key={label}>
          <dt>
            {markOf?.(index)}
            {label}
          </dt>
          <dd>
            <Explained label={label} isAlarming={isAlarming?.(source)}>
              {of(source)}
            </Explained>
            {note && <span className="note">{note(source)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

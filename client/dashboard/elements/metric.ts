import type { ReactNode } from 'react';

/** A number as the dashboard shows it, read from a `T`. */
export interface Metric<T> {
  label: string;
  /** What it means, for a tooltip. Not given where the label says it all. */
  about?: string;
  /** Its name in Prometheus. Not given where it has none. */
  metric?: string;
  of: (source: T) => ReactNode;
  isAlarming?: (source: T) => boolean;
}

/** Returns the Prometheus names of metrics, without repeats. */
export function metricNames(metrics: readonly Pick<Metric<never>, 'metric'>[]): string[] {
  return [...new Set(metrics.flatMap(({ metric }) => metric ?? []))];
}

import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import {
  type CounterName,
  type GaugeName,
  type HistogramName,
  kindOf,
  type LabelsOf,
  METRICS,
  type MetricName,
} from '#shared/metric-declarations.ts';

/** Labels and value of a series that is read at scrape time. */
export type Series = readonly [labels: Readonly<Record<string, string>>, value: number];

function declarationOf<Name extends MetricName>(name: Name, registry: Registry) {
  const { help, labels } = METRICS[name];
  const labelNames: readonly LabelsOf<Name>[] = labels;
  return { name, help, labelNames, registers: [registry] };
}

/** Registers a declared counter. */
export function registerCounter<Name extends CounterName>(
  registry: Registry,
  name: Name,
): Counter<LabelsOf<Name>> {
  return new Counter<LabelsOf<Name>>(declarationOf(name, registry));
}

/** Registers a declared histogram. `buckets`: upper bounds. */
export function registerHistogram<Name extends HistogramName>(
  registry: Registry,
  name: Name,
  buckets: number[],
): Histogram<LabelsOf<Name>> {
  return new Histogram<LabelsOf<Name>>({ ...declarationOf(name, registry), buckets });
}

/** Registers a declared gauge or counter that is read at scrape time, at no cost for requests. Series with the same labels are added up. */
export function registerReading(
  registry: Registry,
  name: GaugeName | CounterName,
  read: () => readonly Series[],
): void {
  const Metric = kindOf(name) === 'gauge' ? Gauge : Counter;
  new Metric({
    ...declarationOf(name, registry),
    collect() {
      this.reset();
      for (const [labels, value] of read()) this.inc(labels, value);
    },
  });
}

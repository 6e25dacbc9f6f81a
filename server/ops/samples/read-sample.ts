import type { Registry } from '@prometheus-io/client';
import { kindOf, type MetricName, SAMPLED_METRICS, type Sampling } from '#shared/metric-declarations.ts';
import { seriesName } from '#shared/series-name.ts';

/** The value of each sampled series by its name; of a histogram the counts by bucket, not cumulative. */
export type Sample = ReadonlyMap<string, number>;

interface Value {
  labels: Partial<Record<string, string | number>>;
  value: number;
  metricName?: string;
}

/** Reads the sampled series of some registries, those of the first metrics of the table first. */
export async function readSample(registries: readonly Registry[]): Promise<Sample> {
  const sample = new Map<string, number>();
  for (const [name, { sampled }] of SAMPLED_METRICS) {
    const registry = registries.find((one) => one.getSingleMetric(name) !== undefined);
    const found = await registry?.getSingleMetric(name)?.get();
    if (found !== undefined) addSeries(sample, name, sampled, found.values);
  }
  return sample;
}

function addSeries(
  sample: Map<string, number>,
  name: MetricName,
  sampled: Sampling,
  values: readonly Value[],
): void {
  const kind = kindOf(name);
  const add = (labels: Record<string, string>, value: number) => {
    const series = seriesName(name, labels);
    sample.set(series, (sample.get(series) ?? 0) + value);
  };
  if (kind === 'histogram') {
    for (const { labels, le, count } of bucketsOf(values)) {
      const kept = keptLabels(labels, sampled);
      // A bucket gets a series with its first observation.
      if (kept !== null && count > 0) add({ ...kept, le: keptBound(le, sampled.bounds) }, count);
    }
    return;
  }
  for (const { labels, value } of values) {
    const kept = keptLabels(labels, sampled);
    if (kept !== null && (value !== 0 || kind === 'gauge')) add(kept, value);
  }
}

/** Returns the counts of each bucket of a histogram, which the registry has cumulative and ascending. */
function bucketsOf(values: readonly Value[]) {
  let before = 0;
  return values
    .filter(({ metricName }) => metricName?.endsWith('_bucket'))
    .map(({ labels, value }) => {
      const count = value - before;
      before = labels['le'] === '+Inf' ? 0 : value;
      return { labels, le: String(labels['le']), count };
    });
}

function keptLabels(labels: Value['labels'], { by, merge = {} }: Sampling): Record<string, string> | null {
  const kept: Record<string, string> = {};
  for (const label of by) {
    const value = String(labels[label] ?? '');
    const merged = value in merge ? merge[value] : value;
    if (merged === null || merged === undefined) return null;
    kept[label] = merged;
  }
  return kept;
}

function keptBound(le: string, bounds: readonly number[] = []): string {
  const bound = bounds.find((one) => Number(le) <= one);
  return bound === undefined ? le : String(bound);
}

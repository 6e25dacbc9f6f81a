import { MAX_SERIES, type MetricName } from '#shared/metric-declarations.ts';
import type { LiveSample, MetricsHistory } from '#shared/models/metrics.ts';
import { parseSeriesName, type SeriesLabels } from '#shared/series-name.ts';
import type { Buckets } from './quantile.ts';

/** Chooses series of a metric by their labels. */
export type Choice = Readonly<Record<string, string | ((value: string) => boolean)>>;

interface Column extends SeriesLabels {
  values: (number | null)[];
}

/** Samples of some time, oldest first. Everything the dashboard shows is computed from them, as Prometheus would. */
export type SampleWindow = ReturnType<typeof createSampleWindow>;

/** A pause longer than this many steps is a gap: the process was not there. */
const MAX_STEPS_APART = 3.5;

/** Makes a window of the samples that the server keeps, and of newer ones of the live view. */
export function createSampleWindow(history: MetricsHistory, live: readonly LiveSample[] = []) {
  const at = [...history.at];
  const columns = new Map(
    history.series.map((name, index): [string, Column] => [
      name,
      { ...parseSeriesName(name), values: history.values.map((row) => row[index] ?? null) },
    ]),
  );
  for (const sample of live) {
    if (sample.at <= (at.at(-1) ?? Number.NEGATIVE_INFINITY)) continue;
    at.push(sample.at);
    for (const name of Object.keys(sample.values))
      if (!columns.has(name))
        columns.set(name, { ...parseSeriesName(name), values: at.slice(1).map(() => null) });
    for (const [name, { values }] of columns) values.push(sample.values[name] ?? null);
  }
  const newest = at.length - 1;
  const starts = columns.get('process_start_time_seconds')?.values ?? [];

  function chosen(metric: string, choice: Choice): Column[] {
    const conditions = Object.entries(choice);
    return [...columns.values()].filter(
      (column) =>
        column.metric === metric &&
        conditions.every(([label, wanted]) => {
          const value = column.labels[label] ?? '';
          return typeof wanted === 'string' ? value === wanted : wanted(value);
        }),
    );
  }

  /** Returns the seconds between two samples. */
  function seconds(from = 0, to = newest): number {
    return Math.max(0, ((at[to] ?? 0) - (at[from] ?? 0)) / 1000);
  }

  function isGap(index: number): boolean {
    const pause = seconds(index - 1, index);
    return pause === 0 || pause > history.stepSeconds * MAX_STEPS_APART;
  }

  /** A series that is new, or whose process has restarted, grew from nothing: also where it has got past what it was. */
  function growthAt(values: Column['values'], index: number): number {
    const [start, startBefore] = [starts[index] ?? null, starts[index - 1] ?? null];
    const hasRestarted = start !== null && startBefore !== null && start !== startBefore;
    const [before, value] = [hasRestarted ? 0 : (values[index - 1] ?? 0), values[index] ?? null];
    if (value === null) return 0;
    return value >= before ? value - before : value;
  }

  const growthOf = ({ values }: Column, from: number, to: number) => {
    let grown = 0;
    for (let index = from + 1; index <= to; index++) grown += growthAt(values, index);
    return grown;
  };

  /** Returns by how much a counter grew, by the value of a label; what did not grow is left out. */
  function increaseBy(metric: MetricName, label: string, choice: Choice = {}, from = 0, to = newest) {
    const grown = new Map<string, number>();
    for (const column of chosen(metric, choice)) {
      const value = column.labels[label] ?? '';
      const growth = growthOf(column, from, to);
      if (growth > 0) grown.set(value, (grown.get(value) ?? 0) + growth);
    }
    return grown;
  }

  return {
    /** Wall milliseconds of each sample. */
    at,
    /** Returns the index of the last sample that is at least `seconds` older than the newest; 0 where none is. */
    indexBefore(seconds: number): number {
      const before = (at[newest] ?? 0) - seconds * 1000;
      return Math.max(
        0,
        at.findLastIndex((time) => time <= before),
      );
    },
    /** Whether a counter is known: one without a series is zero, unless there may have been no place for it. */
    isKnown: (metric: MetricName, choice: Choice): boolean =>
      columns.size < MAX_SERIES || chosen(metric, choice).length > 0,
    /** Returns what a gauge is now; null where there is no such series. Several series are summed up. */
    latest: (metric: MetricName, choice: Choice = {}): number | null =>
      sumOf(chosen(metric, choice).map(({ values }) => values[newest] ?? null)),
    /** Returns the values of a gauge, by sample. */
    gauge(metric: MetricName, choice: Choice = {}): (number | null)[] {
      const found = chosen(metric, choice);
      return at.map((_, index) => sumOf(found.map(({ values }) => values[index] ?? null)));
    },
    /** Returns by how much a counter grew from a sample to another. A reset by a restart is no decrease. */
    increase: (metric: MetricName, choice: Choice = {}, from = 0, to = newest): number =>
      chosen(metric, choice).reduce((sum, column) => sum + growthOf(column, from, to), 0),
    increaseBy,
    /** Returns how many observations each bucket of a histogram got, by its upper bound in ascending order. */
    buckets: (metric: MetricName, choice: Choice = {}, from = 0, to = newest): Buckets =>
      [...increaseBy(metric, 'le', choice, from, to)]
        .map(([le, n]) => [Number(le.replace('+Inf', 'Infinity')), n] as const)
        .sort(([one], [other]) => one - other),
    /** Returns the growth of a counter between each sample and the one before; null for the first and after a gap. */
    steps(metric: MetricName, choice: Choice = {}): (number | null)[] {
      const found = chosen(metric, choice);
      return at.map((_, index) =>
        index === 0 || isGap(index)
          ? null
          : found.reduce((sum, { values }) => sum + growthAt(values, index), 0),
      );
    },
    seconds,
  };
}

function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Returns the name of a series as Prometheus writes it: `name{label="value"}`. */
export function seriesName(metric: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? metric : `${metric}{${pairs.join(',')}}`;
}

/** A series: its metric and its labels. */
export interface SeriesLabels {
  metric: string;
  labels: Readonly<Record<string, string>>;
}

const PAIR = /([a-z_]+)=("(?:[^"\\]|\\.)*")/g;

/** Returns metric and labels of a name that `seriesName` has made. */
export function parseSeriesName(name: string): SeriesLabels {
  const [metric = name] = name.split('{', 1);
  const pairs = [...name.slice(metric.length).matchAll(PAIR)];
  return {
    metric,
    labels: Object.fromEntries(
      pairs.map(([, label = '', value = '""']) => [label, String(JSON.parse(value))]),
    ),
  };
}

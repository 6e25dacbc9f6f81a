import type { Registry } from '@prometheus-io/client';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { PageTemplates } from '#server/render/page-templates.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';

/** A cumulative histogram: how many observations took at most `le` seconds, by ascending bound; the last is infinite. */
export type Buckets = readonly { le: number; count: number }[];

/** Everything that only ever grows, at one moment. */
export interface Totals {
  /** Monotonic milliseconds. */
  at: number;
  /** For pages and of the API. */
  requests: number;
  /** Responses with a 5xx status. */
  requestErrors: number;
  requestDurations: Buckets;
  responses: ReturnType<ResponseCache<unknown>['counts']>;
  upstreamRequests: number;
  upstreamErrors: number;
  upstreamDurations: Buckets;
  cpuSeconds: number;
  resources: ReturnType<ContentCache['stats']>;
}

/** One series of a metric, as the registry holds it. */
export interface Sample {
  labels: Partial<Record<string, string | number>>;
  value: number;
  metricName?: string;
}

/** Reads the totals from the Prometheus metrics, so that the stream counts nothing of its own. */
export async function readTotals(
  registry: Registry,
  cache: Pick<ContentCache, 'stats'>,
  responses: Pick<ResponseCache<unknown>, 'counts'>,
  pageTemplates: Pick<PageTemplates, 'hasTemplate'>,
  at: number,
): Promise<Totals> {
  const [requests = [], durations = [], upstream = [], upstreamDurations = []] = await Promise.all(
    [
      'http_requests_total',
      'http_request_duration_seconds',
      'upstream_requests_total',
      'upstream_request_duration_seconds',
    ].map((name) => samplesOf(registry, name)),
  );
  /** Assets, health checks and feeds would hide what readers of pages wait for. */
  const isForReaders = ({ labels }: Sample): boolean => {
    const route = String(labels['route']);
    return pageTemplates.hasTemplate(route) || route.startsWith('/api/');
  };
  const readers = requests.filter(isForReaders);
  const { user, system } = process.cpuUsage();
  return {
    at,
    requests: sum(readers),
    requestErrors: sum(readers.filter(({ labels }) => Number(labels['status']) >= 500)),
    requestDurations: bucketsOf(durations.filter(isForReaders)),
    responses: responses.counts(),
    upstreamRequests: sum(upstream),
    upstreamErrors: sum(upstream.filter(({ labels }) => labels['outcome'] !== 'ok')),
    upstreamDurations: bucketsOf(upstreamDurations),
    cpuSeconds: (user + system) / 1e6,
    resources: cache.stats(),
  };
}

/** Returns the series of a metric; none where it is not registered. */
export async function samplesOf(registry: Registry, name: string): Promise<Sample[]> {
  return (await registry.getSingleMetric(name)?.get())?.values ?? [];
}

function sum(samples: readonly Sample[]): number {
  return samples.reduce((total, { value }) => total + value, 0);
}

/** Returns the buckets of a histogram's series, those of several label sets summed up. */
export function bucketsOf(samples: readonly Sample[]): Buckets {
  const counts = new Map<number, number>();
  for (const { labels, value, metricName } of samples) {
    if (!metricName?.endsWith('_bucket')) continue;
    const le = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']);
    counts.set(le, (counts.get(le) ?? 0) + value);
  }
  return [...counts].map(([le, count]) => ({ le, count })).sort((one, other) => one.le - other.le);
}

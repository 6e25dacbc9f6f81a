import type { Registry } from '@prometheus-io/client';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { PageTemplates } from '#server/render/page-templates.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { StatusClass } from '#shared/models/metrics.ts';

/** A cumulative histogram: how many observations took at most `le` seconds, by ascending bound; the last is infinite. */
export type Buckets = readonly { le: number; count: number }[];

export interface OperationTotals {
  requests: number;
  errors: number;
  durations: Buckets;
}

/** Requests of one route. */
export interface RouteTotals {
  requests: number;
  /** Those that the response cache did not serve. */
  misses: number;
  durations: Buckets;
}

/** What is read at a moment and does not add up. */
export interface Gauges {
  renderQueueLength: number;
  /** Of the last one to two minutes. */
  eventLoopLagSeconds: { p99: number; max: number };
  residentBytes: number;
  heapBytes: number;
  /** Null where none is configured. */
  isRedisUp: boolean | null;
  /** Null without a CDN. */
  cdnQueueLength: number | null;
}

/** The counts of one moment, which only ever grow, and its gauges. */
export interface Totals {
  /** Monotonic milliseconds. */
  at: number;
  /** For pages and of the API. */
  requests: number;
  /** Responses with a 5xx status. */
  requestErrors: number;
  requestDurations: Buckets;
  /** Readers' requests that the front cache did not serve. */
  missDurations: Buckets;
  byClass: Record<StatusClass, number>;
  /** All responses but those of health checks, as the recording rules count them. */
  all: { requests: number; errors: number; durations: Buckets };
  responses: ReturnType<ResponseCache<unknown>['counts']>;
  upstreamRequests: number;
  upstreamErrors: number;
  upstreamDurations: Buckets;
  operations: ReadonlyMap<string, OperationTotals>;
  /** Requests that the open circuit breaker rejected. */
  breakerRejections: number;
  cpuSeconds: number;
  /** Pages and reads of the API, by template. */
  routes: ReadonlyMap<string, RouteTotals>;
  renderDurations: Buckets;
  cdnPurges: number;
  cdnPurgeErrors: number;
  imageTransforms: number;
  imageTransformErrors: number;
  gauges: Gauges;
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
  const [
    requests = [],
    durations = [],
    misses = [],
    upstream = [],
    upstreamDurations = [],
    renders = [],
    purges = [],
    transforms = [],
    lags = [],
    renderQueue = [],
    redis = [],
    cdnQueue = [],
  ] = await Promise.all(
    [
      'http_requests_total',
      'http_request_duration_seconds',
      'http_cache_miss_duration_seconds',
      'upstream_requests_total',
      'upstream_request_duration_seconds',
      'render_duration_seconds',
      'cdn_purges_total',
      'image_transforms_total',
      'event_loop_lag_seconds',
      'render_queue_length',
      'redis_up',
      'cdn_purge_queue_length',
    ].map((name) => samplesOf(registry, name)),
  );
  /** Assets, health checks and feeds would hide what readers of pages wait for. */
  const isForReaders = ({ labels }: Sample): boolean => {
    const route = String(labels['route']);
    return pageTemplates.hasTemplate(route) || route.startsWith('/api/');
  };
  const readers = requests.filter(isForReaders);
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const isRedisUp = redis[0]?.value;
  const lagOf = (stat: string) => lags.find(({ labels }) => labels['stat'] === stat)?.value ?? 0;
  return {
    at,
    requests: sum(readers),
    requestErrors: sum(readers.filter(isServerError)),
    requestDurations: bucketsOf(durations.filter(isForReaders)),
    missDurations: bucketsOf(misses.filter(isForReaders)),
    byClass: {
      '2xx': ofClass(readers, '2'),
      '3xx': ofClass(readers, '3'),
      '4xx': ofClass(readers, '4'),
      '5xx': ofClass(readers, '5'),
    },
    all: {
      requests: sum(requests),
      errors: sum(requests.filter(isServerError)),
      durations: bucketsOf(durations),
    },
    responses: responses.counts(),
    upstreamRequests: sum(upstream),
    upstreamErrors: sum(upstream.filter(isFailed)),
    upstreamDurations: bucketsOf(upstreamDurations),
    operations: operationsOf(upstream, upstreamDurations),
    breakerRejections: sum(upstream.filter(({ labels }) => labels['outcome'] === 'breaker-open')),
    cpuSeconds: (user + system) / 1e6,
    routes: routesOf(readers, durations, misses),
    renderDurations: bucketsOf(renders),
    cdnPurges: sum(purges),
    cdnPurgeErrors: sum(purges.filter(isFailed)),
    imageTransforms: sum(transforms),
    imageTransformErrors: sum(transforms.filter(({ labels }) => labels['result'] !== 'ok')),
    gauges: {
      renderQueueLength: renderQueue[0]?.value ?? 0,
      eventLoopLagSeconds: { p99: lagOf('p99'), max: lagOf('max') },
      residentBytes: rss,
      heapBytes: heapUsed,
      isRedisUp: isRedisUp === undefined ? null : isRedisUp === 1,
      cdnQueueLength: cdnQueue[0]?.value ?? null,
    },
    resources: cache.stats(),
  };
}

/** Returns the series of a metric; none where it is not registered. */
export async function samplesOf(registry: Registry, name: string): Promise<Sample[]> {
  return (await registry.getSingleMetric(name)?.get())?.values ?? [];
}

const isServerError = ({ labels }: Sample) => Number(labels['status']) >= 500;
const isFailed = ({ labels }: Sample) => labels['outcome'] !== 'ok';
const ofClass = (samples: readonly Sample[], digit: string) =>
  sum(samples.filter(({ labels }) => String(labels['status']).startsWith(digit)));

function operationsOf(
  requests: readonly Sample[],
  durations: readonly Sample[],
): ReadonlyMap<string, OperationTotals> {
  const byOperation = Map.groupBy(requests, ({ labels }) => String(labels['operation']));
  const durationsByOperation = Map.groupBy(durations, ({ labels }) => String(labels['operation']));
  return new Map(
    [...byOperation].map(([operation, samples]) => [
      operation,
      {
        requests: sum(samples),
        errors: sum(samples.filter(isFailed)),
        durations: bucketsOf(durationsByOperation.get(operation) ?? []),
      },
    ]),
  );
}

/** Form posts are left out: they are never served from the cache. */
function routesOf(
  requests: readonly Sample[],
  durations: readonly Sample[],
  misses: readonly Sample[],
): ReadonlyMap<string, RouteTotals> {
  const byRoute = (samples: readonly Sample[]) =>
    Map.groupBy(samples, ({ labels }) => String(labels['route']));
  const [durationsByRoute, missesByRoute] = [byRoute(durations), byRoute(misses)];
  const read = byRoute(requests.filter(({ labels }) => labels['method'] !== 'POST'));
  return new Map(
    [...read.keys()].map((route) => {
      const buckets = bucketsOf(durationsByRoute.get(route) ?? []);
      const missBuckets = bucketsOf(missesByRoute.get(route) ?? []);
      return [
        route,
        {
          requests: buckets.at(-1)?.count ?? 0,
          misses: missBuckets.at(-1)?.count ?? 0,
          durations: buckets,
        },
      ];
    }),
  );
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

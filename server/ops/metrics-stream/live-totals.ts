import type { Registry } from '@prometheus-io/client';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { OutcomeCounts } from '#server/cache/resource-stats.ts';
import type { PageTemplates } from '#server/render/page-templates.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { LiveMetrics, StatusClass } from '#shared/models/metrics.ts';
import type { Resource } from '#shared/models/resources.ts';

/** A cumulative histogram: how many observations took at most so many seconds, by that bound; `Infinity`: all. */
export type Buckets = Readonly<Record<string, number>>;

/** Requests of one route or of several. */
export interface RequestCounts {
  byClass: Record<StatusClass, number>;
  durations: Buckets;
  /** Of those that the front cache did not serve. */
  missDurations: Buckets;
}

/** Requests for one operation of the upstream or for all. */
export interface UpstreamCounts {
  requests: number;
  errors: number;
  durations: Buckets;
}

/** The counts of one moment, which only ever grow, and its gauges. */
export interface Sums {
  /** Monotonic milliseconds. */
  at: number;
  /** For pages and of the API. */
  readers: RequestCounts;
  /** All responses but those of health checks, as the recording rules count them. */
  all: RequestCounts;
  responses: ReturnType<ResponseCache<unknown>['counts']>;
  upstream: UpstreamCounts;
  /** Requests that the open circuit breaker rejected. */
  breakerRejections: number;
  cpuSeconds: number;
  renderDurations: Buckets;
  cdnPurges: { all: number; errors: number };
  imageTransforms: { all: number; errors: number };
  gauges: Gauges;
  resources: Record<Resource, OutcomeCounts>;
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
  circuitBreaker: LiveMetrics['circuitBreaker'];
}

/** The sums, and what they are made of. */
export interface Totals extends Sums {
  /** Pages and reads of the API, by template. */
  routes: Record<string, RequestCounts>;
  operations: Record<string, UpstreamCounts>;
  resources: ReturnType<ContentCache['stats']>;
}

/** What was counted between two moments, with the gauges of the later. */
export type Counted<T extends Sums = Sums> = Omit<T, 'at'> & { seconds: number };

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
  const requests = await samplesOf(registry, 'http_requests_total');
  const durations = await samplesOf(registry, 'http_request_duration_seconds');
  const misses = await samplesOf(registry, 'http_cache_miss_duration_seconds');
  const upstream = await samplesOf(registry, 'upstream_requests_total');
  const upstreamDurations = await samplesOf(registry, 'upstream_request_duration_seconds');
  const purges = await samplesOf(registry, 'cdn_purges_total');
  const transforms = await samplesOf(registry, 'image_transforms_total');
  const breakerStates = await samplesOf(registry, 'upstream_circuit_breaker_state');
  const breakerState = breakerStates.find(({ value }) => value === 1)?.labels['state'];
  const lags = await samplesOf(registry, 'event_loop_lag_seconds');
  const lagOf = (stat: string) => lags.find(({ labels }) => labels['stat'] === stat)?.value ?? 0;
  const [renderQueue] = await samplesOf(registry, 'render_queue_length');
  const [redis] = await samplesOf(registry, 'redis_up');
  const [cdnQueue] = await samplesOf(registry, 'cdn_purge_queue_length');
  /** Assets, health checks and feeds would hide what readers of pages wait for. */
  const isForReaders = ({ labels }: Sample): boolean => {
    const route = String(labels['route']);
    return pageTemplates.hasTemplate(route) || route.startsWith('/api/');
  };
  const readers = requests.filter(isForReaders);
  // Form posts are never served from the cache.
  const reads = readers.filter(({ labels }) => labels['method'] !== 'POST');
  const durationsByRoute = groupBy('route', durations);
  const missesByRoute = groupBy('route', misses);
  const durationsByOperation = groupBy('operation', upstreamDurations);
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    at,
    readers: requestCountsOf(readers, durations.filter(isForReaders), misses.filter(isForReaders)),
    routes: Object.fromEntries(
      [...groupBy('route', reads)].map(([route, samples]) => [
        route,
        requestCountsOf(samples, durationsByRoute.get(route), missesByRoute.get(route)),
      ]),
    ),
    all: requestCountsOf(requests, durations, misses),
    responses: responses.counts(),
    upstream: upstreamCountsOf(upstream, upstreamDurations),
    operations: Object.fromEntries(
      [...groupBy('operation', upstream)].map(([operation, samples]) => [
        operation,
        upstreamCountsOf(samples, durationsByOperation.get(operation)),
      ]),
    ),
    breakerRejections: sum(upstream.filter(({ labels }) => labels['outcome'] === 'breaker-open')),
    cpuSeconds: (user + system) / 1e6,
    renderDurations: bucketsOf(await samplesOf(registry, 'render_duration_seconds')),
    cdnPurges: { all: sum(purges), errors: sum(purges.filter(isFailed)) },
    imageTransforms: {
      all: sum(transforms),
      errors: sum(transforms.filter(({ labels }) => labels['result'] !== 'ok')),
    },
    gauges: {
      renderQueueLength: renderQueue?.value ?? 0,
      eventLoopLagSeconds: { p99: lagOf('p99'), max: lagOf('max') },
      residentBytes: rss,
      heapBytes: heapUsed,
      isRedisUp: redis === undefined ? null : redis.value === 1,
      cdnQueueLength: cdnQueue?.value ?? null,
      circuitBreaker: breakerState === 'open' || breakerState === 'half-open' ? breakerState : 'closed',
    },
    resources: cache.stats(),
  };
}

/** Returns what was counted between two moments. */
export function countedBetween<T extends Sums>(before: T, after: T): Counted<T> {
  const { at, ...counts } = growthBetween(before, after);
  return { ...counts, seconds: at / 1000, gauges: after.gauges };
}

type Values = Readonly<Record<string, unknown>>;

/** Returns how much each number has grown, at any depth. What was not there before began at zero. */
export function growthBetween<T extends object>(before: T, after: T): T;
export function growthBetween(before: Values, after: Values): Values {
  const growth: Record<string, unknown> = {};
  for (const key of Object.keys(after)) {
    const [was, is] = [before[key], after[key]];
    if (typeof is === 'number') growth[key] = is - (typeof was === 'number' ? was : 0);
    else growth[key] = isObject(is) ? growthBetween(isObject(was) ? was : {}, is) : is;
  }
  return growth;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns the series of a metric; none where it is not registered. */
export async function samplesOf(registry: Registry, name: string): Promise<Sample[]> {
  return (await registry.getSingleMetric(name)?.get())?.values ?? [];
}

function groupBy(label: string, samples: readonly Sample[]): Map<string, Sample[]> {
  return Map.groupBy(samples, ({ labels }) => String(labels[label]));
}

function requestCountsOf(
  requests: readonly Sample[],
  durations?: readonly Sample[],
  misses?: readonly Sample[],
): RequestCounts {
  const ofClass = (digit: string) =>
    sum(requests.filter(({ labels }) => String(labels['status']).startsWith(digit)));
  return {
    byClass: { '2xx': ofClass('2'), '3xx': ofClass('3'), '4xx': ofClass('4'), '5xx': ofClass('5') },
    durations: bucketsOf(durations),
    missDurations: bucketsOf(misses),
  };
}

function upstreamCountsOf(requests: readonly Sample[], durations?: readonly Sample[]): UpstreamCounts {
  return {
    requests: sum(requests),
    errors: sum(requests.filter(isFailed)),
    durations: bucketsOf(durations),
  };
}

/** That the upstream does not have something is no error. */
const isFailed = ({ labels }: Sample) => labels['outcome'] !== 'ok' && labels['outcome'] !== 'not-found';

function sum(samples: readonly Sample[]): number {
  return samples.reduce((total, { value }) => total + value, 0);
}

/** Returns the buckets of a histogram's series, those of several label sets summed up. */
export function bucketsOf(samples: readonly Sample[] = []): Buckets {
  const counts: Record<string, number> = {};
  for (const { labels, value, metricName } of samples) {
    if (!metricName?.endsWith('_bucket')) continue;
    const le = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']);
    counts[le] = (counts[le] ?? 0) + value;
  }
  return counts;
}

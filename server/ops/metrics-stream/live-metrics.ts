import type { OutcomeCounts } from '#server/cache/resource-stats.ts';
import { SLOW_SECONDS } from '#shared/alert-rules.ts';
import type {
  LivePoint,
  LiveResource,
  Quantiles,
  RouteMetrics,
  ServiceLevels,
  UpstreamOperation,
} from '#shared/models/metrics.ts';
import {
  type Buckets,
  type Counted,
  growthBetween,
  type RequestCounts,
  type Sums,
  type Totals,
} from './live-totals.ts';

/** Returns the point of the plots for what was counted. `at`: ISO 8601. */
export function pointOf(counted: Counted, at: string): LivePoint {
  const { readers, responses, upstream, cdnPurges, imageTransforms, gauges, seconds } = counted;
  const perSecond = (count: number) => (seconds > 0 ? count / seconds : null);
  const requests = requestsOf(readers);
  const reads = readsOf(Object.values(counted.resources));
  return {
    at,
    requests: {
      perSecond: perSecond(requests),
      errorRatio: share(readers.byClass['5xx'], requests),
      hitRatio: share(responses.served - responses.made, responses.served),
      durationSeconds: quantilesOf(readers.durations),
      missSeconds: quantilesOf(readers.missDurations),
      perSecondByClass: {
        '2xx': perSecond(readers.byClass['2xx']),
        '3xx': perSecond(readers.byClass['3xx']),
        '4xx': perSecond(readers.byClass['4xx']),
        '5xx': perSecond(readers.byClass['5xx']),
      },
    },
    cache: {
      hitRatio: share(reads.hits, reads.all),
      staleRatio: share(reads.stale, reads.all),
      meanAgeSeconds: share(reads.ageSeconds, reads.hits),
    },
    upstream: {
      requestsPerSecond: perSecond(upstream.requests),
      errorRatio: share(upstream.errors, upstream.requests),
      durationSeconds: quantilesOf(upstream.durations),
    },
    render: {
      queueLength: gauges.renderQueueLength,
      p95Seconds: quantilesOf(counted.renderDurations)?.p95 ?? null,
    },
    process: {
      eventLoopLagSeconds: gauges.eventLoopLagSeconds,
      cpuShare: perSecond(counted.cpuSeconds),
      residentBytes: gauges.residentBytes,
      heapBytes: gauges.heapBytes,
    },
    isRedisUp: gauges.isRedisUp,
    cdn:
      gauges.cdnQueueLength === null
        ? null
        : {
            queueLength: gauges.cdnQueueLength,
            purgesPerSecond: perSecond(cdnPurges.all),
            errorsPerSecond: perSecond(cdnPurges.errors),
          },
    images: {
      perSecond: perSecond(imageTransforms.all),
      errorsPerSecond: perSecond(imageTransforms.errors),
    },
  };
}

/** Returns how many requests were counted. */
export function requestsOf({ byClass }: RequestCounts): number {
  return byClass['2xx'] + byClass['3xx'] + byClass['4xx'] + byClass['5xx'];
}

/** Totals that the service level indicators are made of. */
export type ServiceCounts = ReturnType<typeof serviceCountsOf>;

export function serviceCountsOf({ at, all, responses, readers, resources }: Sums) {
  const stats = Object.values(resources);
  return {
    at,
    requests: requestsOf(all),
    errors: all.byClass['5xx'],
    withinObjective: all.durations[SLOW_SECONDS] ?? 0,
    responses,
    missDurations: readers.missDurations,
    refreshSuccesses: stats.reduce((sum, one) => sum + one.refreshSuccesses, 0),
    refreshErrors: stats.reduce((sum, one) => sum + one.refreshErrors, 0),
  };
}

/** Returns the service level indicators between two moments. */
export function serviceLevelsBetween(before: ServiceCounts, after: ServiceCounts): ServiceLevels {
  const counted = growthBetween(before, after);
  const { requests, responses, refreshSuccesses } = counted;
  return {
    seconds: Math.round(counted.at / 1000),
    availability: share(requests - counted.errors, requests),
    latency: share(counted.withinObjective, requests),
    freshness: share(refreshSuccesses, refreshSuccesses + counted.refreshErrors),
    fromCache: share(responses.served - responses.made, responses.served),
    missP95Seconds: quantilesOf(counted.missDurations)?.p95 ?? null,
  };
}

/** Returns the operations of the upstream that were requested, the most failures and then the slowest first. */
export function operationsOf({ operations, seconds }: Counted<Totals>): UpstreamOperation[] {
  return Object.entries(operations)
    .map(([operation, { requests, errors, durations }]) => ({
      operation,
      requestsPerMinute: seconds > 0 ? (requests / seconds) * 60 : 0,
      errorRatio: share(errors, requests),
      p95Seconds: quantilesOf(durations)?.p95 ?? null,
    }))
    .filter(({ requestsPerMinute }) => requestsPerMinute > 0)
    .sort(
      (one, other) =>
        (other.errorRatio ?? 0) - (one.errorRatio ?? 0) || (other.p95Seconds ?? 0) - (one.p95Seconds ?? 0),
    );
}

/** Returns the routes that were requested, the most requests first. */
export function routesOf({ routes, seconds }: Counted<Totals>): RouteMetrics[] {
  return Object.entries(routes)
    .map(([route, counts]) => {
      const requests = countOf(counts.durations);
      return {
        route,
        requestsPerMinute: seconds > 0 ? (requests / seconds) * 60 : 0,
        hitRatio: share(requests - countOf(counts.missDurations), requests),
        p95Seconds: quantilesOf(counts.durations)?.p95 ?? null,
      };
    })
    .filter(({ requestsPerMinute }) => requestsPerMinute > 0)
    .sort((one, other) => other.requestsPerMinute - one.requestsPerMinute);
}

/** Returns the rates of one resource a minute. */
export function ratesOf(counts: OutcomeCounts, seconds: number): LiveResource['lastMinute'] {
  const perMinute = (count: number) => (seconds > 0 ? (count / seconds) * 60 : null);
  const reads = readsOf([counts]);
  return {
    reads: perMinute(reads.all),
    hitRatio: share(reads.hits, reads.all),
    staleRatio: share(reads.stale, reads.all),
    upstreamRequests: perMinute(counts.misses + counts.refreshes),
    errors: perMinute(counts.errors),
    meanAgeSeconds: share(reads.ageSeconds, reads.hits),
  };
}

function readsOf(counts: readonly OutcomeCounts[]) {
  const total = (count: (one: OutcomeCounts) => number) => counts.reduce((sum, one) => sum + count(one), 0);
  const hits = total((one) => one.hits + one.staleHits);
  return {
    hits,
    stale: total((one) => one.staleHits),
    all: hits + total((one) => one.misses + one.coalesced),
    ageSeconds: total((one) => one.servedAgeSeconds),
  };
}

function share(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/** Returns the quantiles of a histogram. Null where nothing was counted. */
export function quantilesOf(buckets: Buckets): Quantiles | null {
  if (countOf(buckets) === 0) return null;
  return { p50: quantile(0.5, buckets), p95: quantile(0.95, buckets), p99: quantile(0.99, buckets) };
}

/** Returns how many observations a histogram has. */
export function countOf(buckets: Buckets): number {
  return buckets[Number.POSITIVE_INFINITY] ?? 0;
}

/** Of counts that were divided, the rank can be a rounding error above the count that it equals. */
const ROUNDING = 1e-12;

/** As Prometheus's `histogram_quantile`: linear within a bucket; above the highest finite bound, that bound. */
export function quantile(q: number, buckets: Buckets): number {
  const ascending = Object.entries(buckets)
    .map(([le, count]) => ({ le: Number(le), count }))
    .sort((one, other) => one.le - other.le);
  const rank = q * countOf(buckets);
  const index = ascending.findIndex(({ count }) => count >= rank * (1 - ROUNDING));
  const bucket = ascending[index];
  const below = ascending[index - 1] ?? { le: 0, count: 0 };
  if (!bucket || bucket.le === Number.POSITIVE_INFINITY) return below.le;
  const within = bucket.count - below.count;
  return below.le + (bucket.le - below.le) * (within > 0 ? (rank - below.count) / within : 1);
}

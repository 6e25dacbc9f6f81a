import { SLOW_SECONDS } from '#shared/alert-thresholds.ts';
import type {
  LivePoint,
  LiveResource,
  Quantiles,
  RouteMetrics,
  ServiceLevels,
  UpstreamOperation,
} from '#shared/models/metrics.ts';
import type { Buckets, Totals } from './live-totals.ts';

/** Returns the point of the plots between two moments. `at`: ISO 8601. */
export function pointBetween(before: Totals, after: Totals, at: string): LivePoint {
  const seconds = (after.at - before.at) / 1000;
  const rate = (was: number, is: number) => (seconds > 0 ? (is - was) / seconds : null);
  const served = after.responses.served - before.responses.served;
  const made = after.responses.made - before.responses.made;
  const reads = readsBetween(Object.values(before.resources), Object.values(after.resources));
  return {
    at,
    requests: {
      perSecond: rate(before.requests, after.requests),
      errorRatio: share(after.requestErrors - before.requestErrors, after.requests - before.requests),
      hitRatio: share(served - made, served),
      durationSeconds: quantilesBetween(before.requestDurations, after.requestDurations),
      missSeconds: quantilesBetween(before.missDurations, after.missDurations),
      perSecondByClass: {
        '2xx': rate(before.byClass['2xx'], after.byClass['2xx']),
        '3xx': rate(before.byClass['3xx'], after.byClass['3xx']),
        '4xx': rate(before.byClass['4xx'], after.byClass['4xx']),
        '5xx': rate(before.byClass['5xx'], after.byClass['5xx']),
      },
    },
    cache: {
      hitRatio: share(reads.hits, reads.all),
      staleRatio: share(reads.stale, reads.all),
      meanAgeSeconds: share(reads.ageSeconds, reads.hits),
    },
    upstream: {
      requestsPerSecond: rate(before.upstreamRequests, after.upstreamRequests),
      errorRatio: share(
        after.upstreamErrors - before.upstreamErrors,
        after.upstreamRequests - before.upstreamRequests,
      ),
      durationSeconds: quantilesBetween(before.upstreamDurations, after.upstreamDurations),
    },
    render: {
      queueLength: after.gauges.renderQueueLength,
      p95Seconds: quantilesBetween(before.renderDurations, after.renderDurations)?.p95 ?? null,
    },
    process: {
      eventLoopLagSeconds: after.gauges.eventLoopLagSeconds,
      cpuShare: rate(before.cpuSeconds, after.cpuSeconds),
      residentBytes: after.gauges.residentBytes,
      heapBytes: after.gauges.heapBytes,
    },
    isRedisUp: after.gauges.isRedisUp,
    cdn:
      after.gauges.cdnQueueLength === null
        ? null
        : {
            queueLength: after.gauges.cdnQueueLength,
            purgesPerSecond: rate(before.cdnPurges, after.cdnPurges),
            errorsPerSecond: rate(before.cdnPurgeErrors, after.cdnPurgeErrors),
          },
    images: {
      perSecond: rate(before.imageTransforms, after.imageTransforms),
      errorsPerSecond: rate(before.imageTransformErrors, after.imageTransformErrors),
    },
  };
}

/** Totals that the service level indicators are made of. */
export type ServiceCounts = Pick<Totals, 'at' | 'all' | 'responses' | 'missDurations'> & {
  refreshes: { succeeded: number; failed: number };
};

export function serviceCountsOf({ at, all, responses, missDurations, resources }: Totals): ServiceCounts {
  const stats = Object.values(resources);
  const total = (of: (one: (typeof stats)[number]) => number) => stats.reduce((sum, one) => sum + of(one), 0);
  const refreshes = {
    succeeded: total(({ refreshSuccesses }) => refreshSuccesses),
    failed: total(({ refreshErrors }) => refreshErrors),
  };
  return { at, all, responses, missDurations, refreshes };
}

/** Returns the service level indicators between two moments. */
export function serviceLevelsBetween(before: ServiceCounts, after: ServiceCounts): ServiceLevels {
  const requests = after.all.requests - before.all.requests;
  const errors = after.all.errors - before.all.errors;
  const within = countWithin(after.all.durations) - countWithin(before.all.durations);
  const succeeded = after.refreshes.succeeded - before.refreshes.succeeded;
  const served = after.responses.served - before.responses.served;
  const made = after.responses.made - before.responses.made;
  return {
    seconds: Math.round((after.at - before.at) / 1000),
    availability: share(requests - errors, requests),
    latency: share(within, requests),
    freshness: share(succeeded, succeeded + after.refreshes.failed - before.refreshes.failed),
    fromCache: share(served - made, served),
    missP95Seconds: quantilesBetween(before.missDurations, after.missDurations)?.p95 ?? null,
  };
}

function countWithin(buckets: Buckets): number {
  return buckets.find(({ le }) => le === SLOW_SECONDS)?.count ?? 0;
}

/** Returns the operations of the upstream that were requested between two moments, the most failures and then the slowest first. */
export function operationsBetween(before: Totals, after: Totals): UpstreamOperation[] {
  const minutes = (after.at - before.at) / 60_000;
  const rows = [...after.operations].map(([operation, { requests, errors, durations }]) => {
    const was = before.operations.get(operation) ?? { requests: 0, errors: 0, durations: [] };
    const grown = requests - was.requests;
    return {
      operation,
      requestsPerMinute: minutes > 0 ? grown / minutes : 0,
      errorRatio: share(errors - was.errors, grown),
      p95Seconds: quantilesBetween(was.durations, durations)?.p95 ?? null,
    };
  });
  return rows
    .filter(({ requestsPerMinute }) => requestsPerMinute > 0)
    .sort(
      (one, other) =>
        (other.errorRatio ?? 0) - (one.errorRatio ?? 0) || (other.p95Seconds ?? 0) - (one.p95Seconds ?? 0),
    );
}

/** Returns the routes that were requested between two moments, the most requests first. */
export function routesBetween(before: Totals, after: Totals): RouteMetrics[] {
  const minutes = (after.at - before.at) / 60_000;
  const rows = [...after.routes].map(([route, { requests, misses, durations }]) => {
    const was = before.routes.get(route) ?? { requests: 0, misses: 0, durations: [] };
    const grown = requests - was.requests;
    return {
      route,
      requestsPerMinute: minutes > 0 ? grown / minutes : 0,
      hitRatio: share(grown - (misses - was.misses), grown),
      p95Seconds: quantilesBetween(was.durations, durations)?.p95 ?? null,
    };
  });
  return rows
    .filter(({ requestsPerMinute }) => requestsPerMinute > 0)
    .sort((one, other) => other.requestsPerMinute - one.requestsPerMinute);
}

type Counts = Pick<
  LiveResource,
  'hits' | 'misses' | 'staleHits' | 'coalesced' | 'refreshes' | 'errors' | 'servedAgeSeconds'
>;

/** Returns the rates of one resource a minute between two moments, `seconds` apart. */
export function ratesBetween(before: Counts, after: Counts, seconds: number): LiveResource['lastMinute'] {
  const perMinute = (count: number) => (seconds > 0 ? (count / seconds) * 60 : null);
  const reads = readsBetween([before], [after]);
  return {
    reads: perMinute(reads.all),
    hitRatio: share(reads.hits, reads.all),
    staleRatio: share(reads.stale, reads.all),
    upstreamRequests: perMinute(after.misses + after.refreshes - before.misses - before.refreshes),
    errors: perMinute(after.errors - before.errors),
    meanAgeSeconds: share(reads.ageSeconds, reads.hits),
  };
}

function readsBetween(before: readonly Counts[], after: readonly Counts[]) {
  const total = (of: readonly Counts[], count: (counts: Counts) => number) =>
    of.reduce((sum, counts) => sum + count(counts), 0);
  const grown = (count: (counts: Counts) => number) => total(after, count) - total(before, count);
  const stale = grown(({ staleHits }) => staleHits);
  const hits = grown((counts) => counts.hits) + stale;
  return {
    stale,
    hits,
    all: hits + grown(({ misses, coalesced }) => misses + coalesced),
    ageSeconds: grown(({ servedAgeSeconds }) => servedAgeSeconds),
  };
}

function share(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/** Returns the quantiles of what was counted between two states of a histogram. Null where nothing was. */
export function quantilesBetween(before: Buckets, after: Buckets): Quantiles | null {
  const earlier = new Map(before.map(({ le, count }) => [le, count]));
  const grown = after.map(({ le, count }) => ({ le, count: count - (earlier.get(le) ?? 0) }));
  if ((grown.at(-1)?.count ?? 0) === 0) return null;
  return { p50: quantile(0.5, grown), p95: quantile(0.95, grown), p99: quantile(0.99, grown) };
}

/** Of counts that were divided, the rank can be a rounding error above the count that it equals. */
const ROUNDING = 1e-12;

/** As Prometheus's `histogram_quantile`: linear within a bucket; above the highest finite bound, that bound. */
export function quantile(q: number, buckets: Buckets): number {
  const rank = q * (buckets.at(-1)?.count ?? 0);
  const index = buckets.findIndex(({ count }) => count >= rank * (1 - ROUNDING));
  const bucket = buckets[index];
  const below = buckets[index - 1] ?? { le: 0, count: 0 };
  if (!bucket || bucket.le === Number.POSITIVE_INFINITY) return below.le;
  const within = bucket.count - below.count;
  return below.le + (bucket.le - below.le) * (within > 0 ? (rank - below.count) / within : 1);
}

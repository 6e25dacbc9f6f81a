import type { LivePoint, LiveResource, Quantiles } from '#shared/models/metrics.ts';
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
    },
    cache: { hitRatio: share(reads.hits, reads.all), staleRatio: share(reads.stale, reads.all) },
    upstream: {
      requestsPerSecond: rate(before.upstreamRequests, after.upstreamRequests),
      errorRatio: share(
        after.upstreamErrors - before.upstreamErrors,
        after.upstreamRequests - before.upstreamRequests,
      ),
      durationSeconds: quantilesBetween(before.upstreamDurations, after.upstreamDurations),
    },
  };
}

type Counts = Pick<LiveResource, 'hits' | 'misses' | 'staleHits' | 'coalesced' | 'refreshes' | 'errors'>;

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
  };
}

function readsBetween(before: readonly Counts[], after: readonly Counts[]) {
  const total = (of: readonly Counts[], count: (counts: Counts) => number) =>
    of.reduce((sum, counts) => sum + count(counts), 0);
  const grown = (count: (counts: Counts) => number) => total(after, count) - total(before, count);
  const stale = grown(({ staleHits }) => staleHits);
  const hits = grown((counts) => counts.hits) + stale;
  return { stale, hits, all: hits + grown(({ misses, coalesced }) => misses + coalesced) };
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

/** As Prometheus's `histogram_quantile`: linear within a bucket; above the highest finite bound, that bound. */
export function quantile(q: number, buckets: Buckets): number {
  const rank = q * (buckets.at(-1)?.count ?? 0);
  const index = buckets.findIndex(({ count }) => count >= rank);
  const bucket = buckets[index];
  const below = buckets[index - 1] ?? { le: 0, count: 0 };
  if (!bucket || bucket.le === Number.POSITIVE_INFINITY) return below.le;
  const within = bucket.count - below.count;
  return below.le + (bucket.le - below.le) * (within > 0 ? (rank - below.count) / within : 1);
}

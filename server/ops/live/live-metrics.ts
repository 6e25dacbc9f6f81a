import type { LivePoint, LiveResource, Quantiles } from '#shared/models/metrics.ts';
import type { Buckets, Totals } from './live-totals.ts';

/** What happened between two moments, as it is plotted. `at`: ISO 8601. */
export function pointBetween(before: Totals, after: Totals, at: string): LivePoint {
  const seconds = (after.at - before.at) / 1000;
  const rate = (was: number, is: number) => (seconds > 0 ? (is - was) / seconds : null);
  const served = after.responses.served - before.responses.served;
  const made = after.responses.made - before.responses.made;
  const reads = readsBetween(Object.values(before.resources), Object.values(after.resources));
  return {
    at,
    readers: {
      perSecond: rate(before.answers, after.answers),
      failedPerSecond: rate(before.failed, after.failed),
      pageHitRatio: share(served - made, served),
      seconds: quantilesBetween(before.responseSeconds, after.responseSeconds),
    },
    data: { hitRatio: share(reads.memory, reads.all), staleRatio: share(reads.stale, reads.all) },
    upstream: {
      callsPerSecond: rate(before.calls, after.calls),
      errorsPerSecond: rate(before.callErrors, after.callErrors),
      seconds: quantilesBetween(before.callSeconds, after.callSeconds),
    },
  };
}

type Counts = Pick<LiveResource, 'hits' | 'misses' | 'staleHits' | 'coalesced' | 'refreshes' | 'errors'>;

/** One resource between two moments, `seconds` apart. */
export function minuteBetween(before: Counts, after: Counts, seconds: number): LiveResource['minute'] {
  const aMinute = (count: number) => (seconds > 0 ? (count / seconds) * 60 : null);
  const reads = readsBetween([before], [after]);
  return {
    readsPerMinute: aMinute(reads.all),
    hitRatio: share(reads.memory, reads.all),
    staleRatio: share(reads.stale, reads.all),
    callsPerMinute: aMinute(after.misses + after.refreshes - before.misses - before.refreshes),
    errorsPerMinute: aMinute(after.errors - before.errors),
  };
}

function readsBetween(before: readonly Counts[], after: readonly Counts[]) {
  const total = (of: readonly Counts[], count: (counts: Counts) => number) =>
    of.reduce((sum, counts) => sum + count(counts), 0);
  const grown = (count: (counts: Counts) => number) => total(after, count) - total(before, count);
  const stale = grown(({ staleHits }) => staleHits);
  const memory = grown(({ hits }) => hits) + stale;
  return { stale, memory, all: memory + grown(({ misses, coalesced }) => misses + coalesced) };
}

function share(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

/** Quantiles of what was counted between two states of a histogram. Null where nothing was. */
export function quantilesBetween(before: Buckets, after: Buckets): Quantiles | null {
  const earlier = new Map(before.map(({ le, count }) => [le, count]));
  const grown = after.map(({ le, count }) => ({ le, count: count - (earlier.get(le) ?? 0) }));
  if ((grown.at(-1)?.count ?? 0) === 0) return null;
  return { p50: quantile(0.5, grown), p95: quantile(0.95, grown), p99: quantile(0.99, grown) };
}

/** As Prometheus reckons it: evenly spread within a bucket; what is past the last bound counts as that bound. */
export function quantile(q: number, buckets: Buckets): number {
  const rank = q * (buckets.at(-1)?.count ?? 0);
  const index = buckets.findIndex(({ count }) => count >= rank);
  const bucket = buckets[index];
  const below = buckets[index - 1] ?? { le: 0, count: 0 };
  if (!bucket || bucket.le === Number.POSITIVE_INFINITY) return below.le;
  const within = bucket.count - below.count;
  return below.le + (bucket.le - below.le) * (within > 0 ? (rank - below.count) / within : 1);
}

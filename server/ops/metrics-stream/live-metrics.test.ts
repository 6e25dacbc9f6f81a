import { describe, expect, it } from 'vitest';
import { NO_COUNTS as NOTHING } from '#server/cache/resource-stats.ts';
import { requests, totals } from '../../../tests/fixtures/metrics-totals.ts';
import { operationsOf, pointOf, quantilesOf, ratesOf, routesOf } from './live-metrics.ts';
import { countedBetween, growthBetween } from './live-totals.ts';

const AT = '2026-01-01T00:00:00.000Z';
describe('the point of the plots between two samples', () => {
  it('has rates a second and ratios', () => {
    const counted = countedBetween(
      totals(
        {
          at: 0,
          readers: requests({ '2xx': 100 }),
          responses: { served: 50, made: 10 },
          upstream: { requests: 5, errors: 1, durations: {} },
        },
        { hits: 10, servedAgeSeconds: 100 },
      ),
      totals(
        {
          at: 10_000,
          readers: requests({ '2xx': 195, '5xx': 5 }),
          responses: { served: 90, made: 20 },
          upstream: { requests: 25, errors: 3, durations: {} },
          cpuSeconds: 5,
          imageTransforms: { all: 20, errors: 10 },
          cdnPurges: { all: 30, errors: 10 },
          gauges: {
            renderQueueLength: 7,
            eventLoopLagSeconds: { p99: 0.01, max: 0.2 },
            residentBytes: 300,
            heapBytes: 100,
            isRedisUp: true,
            cdnQueueLength: 4,
            circuitBreaker: 'closed',
          },
        },
        { hits: 60, staleHits: 20, misses: 20, coalesced: 10, servedAgeSeconds: 380 },
      ),
    );
    expect(pointOf(counted, AT)).toEqual({
      at: AT,
      requests: {
        perSecond: 10,
        errorRatio: 0.05,
        hitRatio: 0.75,
        durationSeconds: null,
        missSeconds: null,
        perSecondByClass: { '2xx': 9.5, '3xx': 0, '4xx': 0, '5xx': 0.5 },
      },
      cache: { hitRatio: 0.7, staleRatio: 0.2, meanAgeSeconds: 4 },
      upstream: { requestsPerSecond: 2, errorRatio: 0.1, durationSeconds: null },
      render: { queueLength: 7, p95Seconds: null },
      process: {
        eventLoopLagSeconds: { p99: 0.01, max: 0.2 },
        cpuShare: 0.5,
        residentBytes: 300,
        heapBytes: 100,
      },
      isRedisUp: true,
      cdn: { queueLength: 4, purgesPerSecond: 3, errorsPerSecond: 1 },
      images: { perSecond: 2, errorsPerSecond: 1 },
    });
  });

  it('has nulls, not zeros, where nothing was counted or no time has passed', () => {
    const point = pointOf(countedBetween(totals(), totals()), AT);
    expect(point.requests).toEqual({
      perSecond: null,
      errorRatio: null,
      hitRatio: null,
      durationSeconds: null,
      missSeconds: null,
      perSecondByClass: { '2xx': null, '3xx': null, '4xx': null, '5xx': null },
    });
    expect(point.cache).toEqual({ hitRatio: null, staleRatio: null, meanAgeSeconds: null });
    expect(point).toMatchObject({ isRedisUp: null, cdn: null });
  });
});

describe('the rates of a resource', () => {
  it('count its loads and refreshes as upstream requests, by the minute', () => {
    const counts = {
      ...NOTHING,
      hits: 6,
      misses: 2,
      staleHits: 1,
      coalesced: 1,
      refreshes: 1,
      errors: 1,
      servedAgeSeconds: 42,
    };
    expect(ratesOf(counts, 30)).toEqual({
      reads: 20,
      hitRatio: 0.7,
      staleRatio: 0.1,
      upstreamRequests: 6,
      errors: 2,
      meanAgeSeconds: 6,
    });
  });
});

describe('quantiles between two states of a histogram', () => {
  const before = { 0.1: 100, 1: 100, Infinity: 100 };

  it('are of the observations in between, linear within a bucket', () => {
    const quantiles = quantilesOf(growthBetween(before, { 0.1: 150, 1: 200, Infinity: 200 }));
    expect(quantiles?.p50).toBeCloseTo(0.1);
    expect(quantiles?.p95).toBeCloseTo(0.1 + 0.9 * 0.9);
  });

  it('are the highest finite bound where more took longer', () => {
    const grown = growthBetween(before, { ...before, Infinity: 110 });
    expect(quantilesOf(grown)).toEqual({ p50: 1, p95: 1, p99: 1 });
  });

  it('are null where nothing was observed', () => {
    expect(quantilesOf(growthBetween(before, before))).toBeNull();
    expect(quantilesOf({})).toBeNull();
  });
});

describe('the operations of the upstream between two samples', () => {
  const operation = (count: number, errors: number, slow: number) => ({
    requests: count,
    errors,
    durations: { 0.1: count - slow, 1: count, Infinity: count },
  });

  it('come with the most failures first, then the slowest, and without those that nobody requested', () => {
    const rows = operationsOf(
      countedBetween(
        totals({ operations: { quiet: operation(9, 9, 9) } }),
        totals({
          at: 60_000,
          operations: {
            quiet: operation(9, 9, 9),
            fast: operation(100, 0, 0),
            slow: operation(100, 0, 50),
            failing: operation(10, 5, 0),
          },
        }),
      ),
    );
    expect(rows.map(({ operation: name }) => name)).toEqual(['failing', 'slow', 'fast']);
    expect(rows[0]).toMatchObject({ requestsPerMinute: 10, errorRatio: 0.5 });
  });
});

it('the routes of readers come with the most requests first, and the share that the response cache served', () => {
  const route = (count: number, misses: number) => ({
    ...requests({ '2xx': count }),
    durations: { Infinity: count },
    missDurations: { Infinity: misses },
  });
  const rows = routesOf(
    countedBetween(
      totals({ routes: { '/quiet': route(5, 5) } }),
      totals({
        at: 120_000,
        routes: { '/quiet': route(5, 5), '/': route(10, 10), '/topic/:category': route(40, 10) },
      }),
    ),
  );
  expect(rows.map(({ route: name }) => name)).toEqual(['/topic/:category', '/']);
  expect(rows.map(({ hitRatio }) => hitRatio)).toEqual([0.75, 0]);
  expect(rows[0]?.requestsPerMinute).toBe(20);
});

import { describe, expect, it } from 'vitest';
import { RESOURCES, type Resource } from '#server/cache/resources.ts';
import { pointBetween, quantilesBetween, ratesBetween } from './live-metrics.ts';
import type { Totals } from './live-totals.ts';

const AT = '2026-01-01T00:00:00.000Z';
const NOTHING = {
  hits: 0,
  misses: 0,
  staleHits: 0,
  coalesced: 0,
  refreshes: 0,
  refreshSuccesses: 0,
  refreshErrors: 0,
  errors: 0,
};

function totals(change: Partial<Totals> = {}, topic: Partial<typeof NOTHING> = {}): Totals {
  const none = { ...NOTHING, entries: 0, bytes: 0, policy: { ttl: 1, swr: 1, sie: 1 } };
  const resources = Object.fromEntries(RESOURCES.map((name) => [name, none])) as Totals['resources'];
  return {
    at: 0,
    requests: 0,
    requestErrors: 0,
    requestDurations: [],
    responses: { served: 0, made: 0 },
    upstreamRequests: 0,
    upstreamErrors: 0,
    upstreamDurations: [],
    cpuSeconds: 0,
    resources: { ...resources, ['topic' satisfies Resource]: { ...none, ...topic } },
    ...change,
  };
}

describe('the point of the plots between two samples', () => {
  it('has rates a second and ratios', () => {
    const point = pointBetween(
      totals(
        { at: 0, requests: 100, responses: { served: 50, made: 10 }, upstreamRequests: 5, upstreamErrors: 1 },
        { hits: 10 },
      ),
      totals(
        {
          at: 10_000,
          requests: 200,
          requestErrors: 5,
          responses: { served: 90, made: 20 },
          upstreamRequests: 25,
          upstreamErrors: 3,
        },
        { hits: 60, staleHits: 20, misses: 20, coalesced: 10 },
      ),
      AT,
    );
    expect(point).toEqual({
      at: AT,
      requests: { perSecond: 10, errorRatio: 0.05, hitRatio: 0.75, durationSeconds: null },
      cache: { hitRatio: 0.7, staleRatio: 0.2 },
      upstream: { requestsPerSecond: 2, errorRatio: 0.1, durationSeconds: null },
    });
  });

  it('has nulls, not zeros, where nothing was counted or no time has passed', () => {
    const point = pointBetween(totals(), totals(), AT);
    expect(point.requests).toEqual({
      perSecond: null,
      errorRatio: null,
      hitRatio: null,
      durationSeconds: null,
    });
    expect(point.cache).toEqual({ hitRatio: null, staleRatio: null });
  });
});

describe('the rates of a resource between two samples', () => {
  it('count its loads and refreshes as upstream requests, by the minute', () => {
    const after = { ...NOTHING, hits: 6, misses: 2, staleHits: 1, coalesced: 1, refreshes: 1, errors: 1 };
    expect(ratesBetween(NOTHING, after, 30)).toEqual({
      reads: 20,
      hitRatio: 0.7,
      staleRatio: 0.1,
      upstreamRequests: 6,
      errors: 2,
    });
  });
});

describe('quantiles between two states of a histogram', () => {
  const before = [
    { le: 0.1, count: 100 },
    { le: 1, count: 100 },
    { le: Number.POSITIVE_INFINITY, count: 100 },
  ];

  it('are of the observations in between, linear within a bucket', () => {
    const after = [
      { le: 0.1, count: 150 },
      { le: 1, count: 200 },
      { le: Number.POSITIVE_INFINITY, count: 200 },
    ];
    const quantiles = quantilesBetween(before, after);
    expect(quantiles?.p50).toBeCloseTo(0.1);
    expect(quantiles?.p95).toBeCloseTo(0.1 + 0.9 * 0.9);
  });

  it('are the highest finite bound where more took longer', () => {
    const after = before.map(({ le, count }) => ({ le, count: le > 1 ? count + 10 : count }));
    expect(quantilesBetween(before, after)).toEqual({ p50: 1, p95: 1, p99: 1 });
  });

  it('are null where nothing was observed', () => {
    expect(quantilesBetween(before, before)).toBeNull();
    expect(quantilesBetween([], [])).toBeNull();
  });
});

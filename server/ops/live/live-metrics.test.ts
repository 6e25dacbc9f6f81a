import { describe, expect, it } from 'vitest';
import { RESOURCES, type Resource } from '#server/cache/resources.ts';
import { minuteBetween, pointBetween, quantilesBetween } from './live-metrics.ts';
import type { Totals } from './live-totals.ts';

const AT = '2026-01-01T00:00:00.000Z';
const NOTHING = { hits: 0, misses: 0, staleHits: 0, coalesced: 0, refreshes: 0, errors: 0 };

function totals(change: Partial<Totals> = {}, topic: Partial<typeof NOTHING> = {}): Totals {
  const none = { ...NOTHING, entries: 0, bytes: 0, policy: { ttl: 1, swr: 1, sie: 1 } };
  const resources = Object.fromEntries(RESOURCES.map((name) => [name, none])) as Totals['resources'];
  return {
    at: 0,
    answers: 0,
    failed: 0,
    responses: { served: 0, made: 0 },
    responseSeconds: [],
    calls: 0,
    callErrors: 0,
    callSeconds: [],
    cpuSeconds: 0,
    resources: { ...resources, ['topic' satisfies Resource]: { ...none, ...topic } },
    ...change,
  };
}

describe('what is plotted between two looks', () => {
  it('is rates a second and shares', () => {
    const point = pointBetween(
      totals(
        { at: 0, answers: 100, responses: { served: 50, made: 10 }, calls: 5, callErrors: 1 },
        { hits: 10 },
      ),
      totals(
        {
          at: 10_000,
          answers: 200,
          failed: 5,
          responses: { served: 90, made: 20 },
          calls: 25,
          callErrors: 3,
        },
        { hits: 60, staleHits: 20, misses: 20, coalesced: 10 },
      ),
      AT,
    );
    expect(point).toEqual({
      at: AT,
      readers: { perSecond: 10, failedPerSecond: 0.5, pageHitRatio: 0.75, seconds: null },
      data: { hitRatio: 0.7, staleRatio: 0.2 },
      upstream: { callsPerSecond: 2, errorsPerSecond: 0.2, seconds: null },
    });
  });

  it('is nothing, rather than a zero, where nobody came or no time has passed', () => {
    const point = pointBetween(totals(), totals(), AT);
    expect(point.readers).toEqual({
      perSecond: null,
      failedPerSecond: null,
      pageHitRatio: null,
      seconds: null,
    });
    expect(point.data).toEqual({ hitRatio: null, staleRatio: null });
  });
});

describe('a resource between two looks', () => {
  it('costs the upstream its loads and refreshes, by the minute', () => {
    const after = { ...NOTHING, hits: 6, misses: 2, staleHits: 1, coalesced: 1, refreshes: 1, errors: 1 };
    expect(minuteBetween(NOTHING, after, 30)).toEqual({
      readsPerMinute: 20,
      hitRatio: 0.7,
      staleRatio: 0.1,
      callsPerMinute: 6,
      errorsPerMinute: 2,
    });
  });
});

describe('quantiles between two states of a histogram', () => {
  const before = [
    { le: 0.1, count: 100 },
    { le: 1, count: 100 },
    { le: Number.POSITIVE_INFINITY, count: 100 },
  ];

  it('are of what came in between, spread evenly within a bucket', () => {
    const after = [
      { le: 0.1, count: 150 },
      { le: 1, count: 200 },
      { le: Number.POSITIVE_INFINITY, count: 200 },
    ];
    const quantiles = quantilesBetween(before, after);
    expect(quantiles?.p50).toBeCloseTo(0.1);
    expect(quantiles?.p95).toBeCloseTo(0.1 + 0.9 * 0.9);
  });

  it('are the last bound where more was past it', () => {
    const after = before.map(({ le, count }) => ({ le, count: le > 1 ? count + 10 : count }));
    expect(quantilesBetween(before, after)).toEqual({ p50: 1, p95: 1, p99: 1 });
  });

  it('are none where nothing came', () => {
    expect(quantilesBetween(before, before)).toBeNull();
    expect(quantilesBetween([], [])).toBeNull();
  });
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { requests, totals } from '../../../tests/fixtures/metrics-totals.ts';
import type { Totals } from './live-totals.ts';
import { createMetricsHistory } from './metrics-history.ts';

const START = Date.UTC(2026, 0, 1);
const STEP_SECONDS = 10;
const DAY_SECONDS = 86_400;

const isoAt = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** Returns V8's `gc`, which vitest's workers are started without. */
function exposedGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 has no gc');
  return () => collect();
}

/** Adds a sample each ten seconds, made by `at`. */
function fill(seconds: number, change: (second: number) => Partial<Totals>) {
  const history = createMetricsHistory('1.2.3 abc');
  for (let second = 0; second <= seconds; second += STEP_SECONDS)
    history.add(totals({ at: second * 1000, ...change(second) }), isoAt(second));
  return history;
}

const perSecond = (rate: number) => (second: number) => ({ readers: requests({ '2xx': second * rate }) });

describe('a day and more of history', () => {
  const history = fill(1.5 * DAY_SECONDS, perSecond(5));

  it.each([
    [5, 30, 10],
    [30, 180, 10],
    [360, 360, 60],
    [1_440, 288, 300],
  ])('of the last %i minutes has %i points, %i s apart', (minutes, count, seconds) => {
    const points = history.points(minutes);
    expect(points).toHaveLength(count);
    expect(points.at(-1)?.at).toBe(isoAt(1.5 * DAY_SECONDS));
    const [first, second] = points.slice(-2).map(({ at }) => Date.parse(at));
    expect((second ?? 0) - (first ?? 0)).toBe(seconds * 1000);
  });

  it('keeps less than a megabyte, however long it runs', () => {
    const size = (days: number) => {
      const kept = days === 1.5 ? history : fill(days * DAY_SECONDS, perSecond(5));
      return JSON.stringify([5, 30, 360, 1_440].map((minutes) => kept.points(minutes))).length;
    };
    expect(size(1.5)).toBeLessThan(1_000_000);
    expect(size(4) - size(1.5)).toBeLessThan(10_000);
  });

  it('loses no request by thinning', () => {
    for (const minutes of [5, 30, 360, 1_440])
      for (const point of history.points(minutes)) expect(point.requests.perSecond).toBeCloseTo(5);
  });
});

describe('the heap', () => {
  /** As much as a site with thirty operations reads at each sample. */
  function sample(second: number): Partial<Totals> {
    const durations = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [index, second + index]));
    const buckets = () => ({ ...durations });
    const served = { ...requests({ '2xx': second }), durations: buckets(), missDurations: buckets() };
    const requested = { requests: second, errors: 0, durations: buckets() };
    return {
      readers: served,
      all: served,
      upstream: requested,
      operations: Object.fromEntries(
        Array.from({ length: 30 }, (_, index) => [
          `operation-${index}`,
          { ...requested, durations: buckets() },
        ]),
      ),
      breakerRejections: second,
    };
  }

  const collectGarbage = exposedGarbageCollector();

  /** Returns the bytes that a history of some days keeps alive. */
  function heldBy(days: number): number {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const kept = fill(days * DAY_SECONDS, sample);
    collectGarbage();
    const held = process.memoryUsage().heapUsed - before;
    expect(kept.points(1_440)).toHaveLength(288);
    return held;
  }

  it('holds a day in two megabytes, and a week in no more', () => {
    heldBy(1);
    const days = [heldBy(1), heldBy(1), heldBy(1)];
    const weeks = [heldBy(7), heldBy(7), heldBy(7)];
    expect(Math.max(...days)).toBeLessThan(2_000_000);
    // The engine allocates or frees a few hundred kilobytes of its own during some; what a history keeps is in each.
    expect(Math.min(...weeks) - Math.max(...days)).toBeLessThan(200_000);
  });
});

it('shows a burst between two thinned points in the rate of its step', () => {
  const history = fill(600, (second) => ({ readers: requests({ '2xx': second > 300 ? 3_000 : 0 }) }));
  expect(history.points(1_440).map((point) => point.requests.perSecond)).toEqual([null, 0, 10]);
});

it('tolerates samples that come a little early or late', () => {
  const history = createMetricsHistory('1.2.3 abc');
  for (let index = 0; index <= 60; index++) {
    const ms = index * 10_000 + (index % 2 === 0 ? -900 : 900);
    history.add(totals({ at: ms }), new Date(START + ms).toISOString());
  }
  expect(history.points(30)).toHaveLength(61);
  expect(history.points(360)).toHaveLength(11);
});

it('tells of the start, and of each time the circuit breaker began to reject requests', () => {
  const rejections = (second: number) => {
    if (second < 100) return 0;
    if (second < 200) return second;
    return second < 300 ? 200 : second;
  };
  const history = fill(400, (second) => ({ breakerRejections: rejections(second) }));
  expect(history.events()).toEqual([
    { at: isoAt(0), kind: 'start', text: 'process started, version 1.2.3 abc' },
    { at: isoAt(100), kind: 'circuit-breaker', text: 'circuit breaker opened' },
    { at: isoAt(300), kind: 'circuit-breaker', text: 'circuit breaker opened' },
  ]);
});

describe('the service levels', () => {
  const counted = (all: number, errors: number, fast: number): Partial<Totals> => ({
    all: {
      ...requests({ '2xx': all - errors, '5xx': errors }),
      durations: { 0.25: fast, Infinity: all },
    },
    responses: { served: all, made: errors },
  });

  it('are of everything since the start while that is less than a day', () => {
    const history = fill(0, () => counted(0, 0, 0));
    const now = totals(
      { at: 600_000, ...counted(1_000, 2, 990) },
      { refreshSuccesses: 95, refreshErrors: 5 },
    );
    expect(history.serviceLevels(now)).toEqual({
      seconds: 600,
      availability: 0.998,
      latency: 0.99,
      freshness: 0.95,
      fromCache: 0.998,
      missP95Seconds: null,
    });
  });

  it('are of the last day after that', () => {
    const day = fill(2 * DAY_SECONDS, (second) =>
      second < DAY_SECONDS ? counted(second, second, second) : counted(second, DAY_SECONDS, second),
    );
    const { seconds, availability } = day.serviceLevels(
      totals({ at: 2 * DAY_SECONDS * 1000, ...counted(2 * DAY_SECONDS, DAY_SECONDS, 2 * DAY_SECONDS) }),
    );
    expect(seconds).toBe(DAY_SECONDS);
    expect(availability).toBe(1);
  });

  it('are null where nothing was counted', () => {
    expect(createMetricsHistory('1.2.3 abc').serviceLevels(totals())).toEqual({
      seconds: 0,
      availability: null,
      latency: null,
      freshness: null,
      fromCache: null,
      missP95Seconds: null,
    });
  });
});

it('has the hit ratio of each resource by the minute, for half an hour', () => {
  const history = createMetricsHistory('1.2.3 abc');
  for (let second = 0; second <= 3_600; second += STEP_SECONDS)
    history.add(
      totals({ at: second * 1000 }, { hits: second, misses: second > 1_800 ? second - 1_800 : 0 }),
      isoAt(second),
    );
  const { topic, home } = history.hitRatios();
  expect(topic).toHaveLength(30);
  expect(topic?.at(-1)).toBe(0.5);
  expect(home?.at(-1)).toBeNull();
});

import { expect, it } from 'vitest';
import { MAX_SERIES } from '#shared/metric-declarations.ts';
import type { LiveSample } from '#shared/models/metrics.ts';
import { QUIET_STATE as state } from '../../../tests/fixtures/live-state.ts';
import { createSampleWindow } from './sample-window.ts';

const STATUS_200 = 'http_requests_total{status="200"}';
const STATUS_503 = 'http_requests_total{status="503"}';

/** Samples each ten seconds. */
function windowOf(columns: Record<string, (number | null)[]>, live: LiveSample[] = []) {
  const [first = []] = Object.values(columns);
  return createSampleWindow(
    {
      stepSeconds: 10,
      series: Object.keys(columns),
      at: first.map((_, index) => index * 10_000),
      values: first.map((_, index) => Object.values(columns).map((values) => values[index] ?? null)),
    },
    live,
  );
}

it('a counter grows by the sum of its series, and a choice of them', () => {
  const window = windowOf({ [STATUS_200]: [10, 15, 30], [STATUS_503]: [0, 2, 2] });
  expect(window.increase('http_requests_total')).toBe(22);
  expect(window.increase('http_requests_total', { status: (status) => status.startsWith('5') })).toBe(2);
  expect(window.increase('http_requests_total', { status: '200' }, 1)).toBe(15);
  expect(Object.fromEntries(window.increaseBy('http_requests_total', 'status'))).toEqual({ 200: 20, 503: 2 });
});

it('a restart is no decrease: what the new process counted is added', () => {
  expect(windowOf({ [STATUS_200]: [100, 120, 3, 5] }).increase('http_requests_total')).toBe(25);
  expect(windowOf({ [STATUS_200]: [100, null, 3] }).increase('http_requests_total')).toBe(3);
});

it('what the new process counted is added also where it is no less than what the old one had', () => {
  const window = windowOf({ process_start_time_seconds: [1, 1, 15], [STATUS_200]: [0, 12, 12] });
  expect(window.increase('http_requests_total')).toBe(24);
  expect(window.steps('http_requests_total')).toEqual([null, 12, 12]);
});

it('a series that appears grew from nothing', () => {
  expect(windowOf({ [STATUS_503]: [null, null, 4] }).increase('http_requests_total')).toBe(4);
});

it('a gap has no rate, while what was counted in it is counted', () => {
  const window = createSampleWindow({
    stepSeconds: 10,
    series: [STATUS_200],
    at: [0, 10_000, 600_000, 610_000],
    values: [[0], [5], [65], [66]],
  });
  expect(window.steps('http_requests_total')).toEqual([null, 5, null, 1]);
  expect(window.increase('http_requests_total')).toBe(66);
});

it('newer samples of the live view are appended, also those of series that the history has not', () => {
  const window = windowOf({ [STATUS_200]: [10, 15] }, [
    { at: 5_000, values: { [STATUS_200]: 1 }, state },
    { at: 20_000, values: { [STATUS_200]: 18, [STATUS_503]: 1, render_queue_length: 7 }, state },
  ]);
  expect(window.at).toEqual([0, 10_000, 20_000]);
  expect(window.increase('http_requests_total')).toBe(9);
  expect(window.latest('render_queue_length')).toBe(7);
  expect(window.gauge('render_queue_length')).toEqual([null, null, 7]);
});

it('a counter without a series is zero while there are places, and not known where there are none', () => {
  const many = Object.fromEntries(
    Array.from({ length: MAX_SERIES }, (_, nth) => [`cache_entries{resource="${nth}"}`, [1]]),
  );
  expect(windowOf({ [STATUS_200]: [1] }).isKnown('cache_requests_total', {})).toBe(true);
  expect(windowOf(many).isKnown('cache_requests_total', {})).toBe(false);
  expect(windowOf(many).isKnown('cache_entries', {})).toBe(true);
});

it('buckets are ascending, and what is before an index is not counted', () => {
  const window = windowOf({
    'http_request_duration_seconds{le="+Inf"}': [0, 1],
    'http_request_duration_seconds{le="0.25"}': [5, 9],
  });
  expect(window.buckets('http_request_duration_seconds')).toEqual([
    [0.25, 4],
    [Number.POSITIVE_INFINITY, 1],
  ]);
  expect(window.indexBefore(10)).toBe(0);
  expect(window.indexBefore(5)).toBe(0);
});

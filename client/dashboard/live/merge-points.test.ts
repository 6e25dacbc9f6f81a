import { describe, expect, it } from 'vitest';
import type { LivePoint } from '#shared/models/metrics.ts';
import { mergePoints } from './merge-points.ts';

function point(second: number): LivePoint {
  return {
    at: new Date(second * 1000).toISOString(),
    requests: {
      perSecond: second,
      errorRatio: 0,
      hitRatio: null,
      durationSeconds: null,
      missSeconds: null,
      perSecondByClass: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 },
    },
    cache: { hitRatio: null, staleRatio: null },
    upstream: { requestsPerSecond: 0, errorRatio: 0, durationSeconds: null },
  };
}

const merged = (known: number[], more: number[]) =>
  mergePoints(known.map(point), more.map(point)).map(({ requests }) => requests.perSecond);

describe('points of a plot', () => {
  it('are appended in order', () => {
    expect(merged([], [1, 2, 3])).toEqual([1, 2, 3]);
    expect(merged([1, 2], [3])).toEqual([1, 2, 3]);
  });

  it('are filled up from the history without repeats', () => {
    expect(merged([10, 11, 12], [0, 5, 10, 11, 15, 20])).toEqual([0, 5, 10, 11, 12, 15, 20]);
  });

  it('are at most half an hour of seconds', () => {
    const many = Array.from({ length: 1_800 }, (_, second) => second);
    expect(merged(many, [1_800])).toEqual([...many.slice(1), 1_800]);
  });
});

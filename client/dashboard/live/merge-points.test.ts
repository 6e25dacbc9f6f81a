import { describe, expect, it } from 'vitest';
import type { LivePoint } from '#shared/models/metrics.ts';
import { mergePoints } from './merge-points.ts';

function point(second: number): LivePoint {
  return {
    at: new Date(second * 1000).toISOString(),
    readers: { perSecond: second, failedPerSecond: 0, pageHitRatio: null, seconds: null },
    data: { hitRatio: null, staleRatio: null },
    upstream: { callsPerSecond: 0, errorsPerSecond: 0, seconds: null },
  };
}

const merged = (known: number[], more: number[]) =>
  mergePoints(known.map(point), more.map(point)).map(({ readers }) => readers.perSecond);

describe('points of a plot', () => {
  it('are taken as they come', () => {
    expect(merged([], [1, 2, 3])).toEqual([1, 2, 3]);
    expect(merged([1, 2], [3])).toEqual([1, 2, 3]);
  });

  it('are filled up from the history, without one twice', () => {
    expect(merged([10, 11, 12], [0, 5, 10, 11, 15, 20])).toEqual([0, 5, 10, 11, 12, 15, 20]);
  });

  it('are at most half an hour of seconds', () => {
    const many = Array.from({ length: 1_800 }, (_, second) => second);
    expect(merged(many, [1_800])).toEqual([...many.slice(1), 1_800]);
  });
});

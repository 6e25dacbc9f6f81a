import { describe, expect, it } from 'vitest';
import { mergePoints } from './merge-points.ts';

const point = (second: number) => ({ at: new Date(second * 1000).toISOString(), second });

const merged = (known: number[], more: number[]) =>
  mergePoints(known.map(point), more.map(point)).map(({ second }) => second);

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

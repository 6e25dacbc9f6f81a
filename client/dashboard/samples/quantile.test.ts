import { expect, it } from 'vitest';
import { quantile, quantileText, shareAbove } from './quantile.ts';

const BOUNDS = [0.005, 0.01, 0.1, 1];

it('fewer than 20 observations have none', () => {
  expect(quantile(0.95, [[0.1, 19]], BOUNDS)).toBeNull();
  expect(quantileText(null)).toBe('–');
});

it('is at most the lowest bound, where it is in the lowest bucket', () => {
  expect(quantileText(quantile(0.5, [[0.005, 40]], BOUNDS))).toBe('≤ 5.0 ms');
});

it('is linear within its bucket, also where the bucket below has no observations', () => {
  expect(quantile(0.5, [[0.1, 20]], BOUNDS)).toEqual({
    kind: 'about',
    seconds: expect.closeTo(0.055),
  });
});

it('is above the highest bound, where it is past it', () => {
  const buckets = [
    [0.1, 10],
    [Number.POSITIVE_INFINITY, 30],
  ] as const;
  expect(quantileText(quantile(0.95, buckets, BOUNDS))).toBe('> 1.00 s');
});

it('the share above a bound is of all observations', () => {
  expect(shareAbove(0.25, [])).toBeNull();
  expect(
    shareAbove(0.25, [
      [0.25, 3],
      [0.5, 1],
    ]),
  ).toBe(0.25);
});

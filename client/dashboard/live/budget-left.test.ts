import { expect, it } from 'vitest';
import { budgetLeft } from './budget-left.ts';

it.each([
  ['all of it where nothing failed', 1, 1],
  ['half', 0.9995, 0.5],
  ['none', 0.999, 0],
  ['less than none', 0.997, -2],
])('leaves %s', (_what, level, left) => {
  expect(budgetLeft(level, 0.999)).toBeCloseTo(left);
});

it('is not known where nothing was counted', () => {
  expect(budgetLeft(null, 0.999)).toBeNull();
});

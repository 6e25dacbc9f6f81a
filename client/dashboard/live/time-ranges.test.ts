import { expect, it } from 'vitest';
import { rangeOf } from './time-ranges.ts';

it.each([
  ['5', 5],
  ['1440', 1_440],
  ['7', 30],
  [undefined, 30],
])('the parameter %s is the range of %i minutes', (param, minutes) => {
  expect(rangeOf(param).minutes).toBe(minutes);
});

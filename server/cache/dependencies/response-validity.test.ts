import { expect, it } from 'vitest';
import { validBetween } from './response-validity.ts';

it('a validity ends at its end, and when the clock is set back before its start', () => {
  let now = 1_000;
  const validity = validBetween(1_000, 3_000, () => now);
  expect(validity()).toBe(2_000);
  now = 2_999;
  expect(validity()).toBe(1);
  now = 3_000;
  expect(validity()).toBeLessThanOrEqual(0);
  now = 999;
  expect(validity()).toBeLessThanOrEqual(0);
});

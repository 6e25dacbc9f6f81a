import { expect, it } from 'vitest';
import { responseTimeoutMs } from './upstream-dispatcher.ts';

it.each([
  [300, 2_000],
  [3_000, 2_000],
  [10_000, 9_000],
  [60_000, 59_000],
])('waits for a response as the deadline of %i ms allows, not less: %i ms', (deadline, wait) => {
  expect(responseTimeoutMs(deadline)).toBe(wait);
});

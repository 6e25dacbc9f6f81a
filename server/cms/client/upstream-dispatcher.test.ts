import { expect, it } from 'vitest';
import { connectTimeoutMs, responseTimeoutMs } from './upstream-dispatcher.ts';

it.each([
  [300, 2_000],
  [3_000, 2_000],
  [10_000, 9_000],
  [60_000, 59_000],
])('waits for a response as the deadline of %i ms allows, not less: %i ms', (deadline, wait) => {
  expect(responseTimeoutMs(deadline)).toBe(wait);
});

it.each([
  [300, 500],
  [3_000, 500],
  [60_000, 10_000],
])('connects within a share of the deadline of %i ms, or half a second: %i ms', (deadline, wait) => {
  expect(connectTimeoutMs(deadline)).toBe(wait);
});

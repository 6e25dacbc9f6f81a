import { expect, it } from 'vitest';
import { connectTimeoutMs } from './cms-client.ts';

it.each([
  [300, 500],
  [3_000, 500],
  [60_000, 10_000],
])('connects within a share of the deadline of %i ms, or half a second: %i ms', (deadline, wait) => {
  expect(connectTimeoutMs(deadline)).toBe(wait);
});

import { expect, it } from 'vitest';
import { createThrottle } from './throttle.ts';

it('gives turns at a steady rate, and saves none up', () => {
  let now = 1_000;
  const throttle = createThrottle(
    () => 100,
    () => now,
  );
  expect([throttle.take(), throttle.take(), throttle.take()]).toEqual([0, 100, 200]);
  now += 10_000;
  expect([throttle.take(), throttle.take()]).toEqual([0, 100]);
});

it('follows an interval that changes', () => {
  let interval = 10;
  const throttle = createThrottle(
    () => interval,
    () => 0,
  );
  throttle.take();
  interval = 50;
  expect([throttle.take(), throttle.take()]).toEqual([10, 60]);
});

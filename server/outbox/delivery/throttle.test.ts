import { expect, it } from 'vitest';
import { createThrottle } from './throttle.ts';

it('gives turns at a steady rate, and none in store for having waited', () => {
  let now = 1_000;
  const throttle = createThrottle(
    () => 100,
    () => now,
  );
  expect([throttle.take(), throttle.take(), throttle.take()]).toEqual([0, 100, 200]);
  now += 10_000;
  expect([throttle.take(), throttle.take()]).toEqual([0, 100]);
});

it('goes slower and faster as it is told', () => {
  let interval = 10;
  const throttle = createThrottle(
    () => interval,
    () => 0,
  );
  throttle.take();
  interval = 50;
  expect([throttle.take(), throttle.take()]).toEqual([10, 60]);
});

import { expect, it } from 'vitest';
import { createPace } from './pace.ts';

it('gives turns at a steady rate, and none in store for having waited', () => {
  let now = 1_000;
  const pace = createPace(
    () => 100,
    () => now,
  );
  expect([pace.take(), pace.take(), pace.take()]).toEqual([0, 100, 200]);
  now += 10_000;
  expect([pace.take(), pace.take()]).toEqual([0, 100]);
});

it('goes slower and faster as it is told', () => {
  let interval = 10;
  const pace = createPace(
    () => interval,
    () => 0,
  );
  pace.take();
  interval = 50;
  expect([pace.take(), pace.take()]).toEqual([10, 60]);
});

import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchEventLoopUtilization } from './event-loop-utilization.ts';

it('is busy after work without a pause, and not after a pause', async () => {
  const isBusy = watchEventLoopUtilization(10);
  await pause(1);
  isBusy();
  const end = performance.now() + 20;
  while (performance.now() < end);
  expect(isBusy()).toBe(true);
  // A machine under load may pause the process: the next round shows it.
  await expect
    .poll(async () => {
      await pause(20);
      return isBusy();
    })
    .toBe(false);
});

it('does not change within the interval', async () => {
  const isBusy = watchEventLoopUtilization(60_000);
  await pause(20);
  const said = isBusy();
  const end = performance.now() + 20;
  while (performance.now() < end);
  expect(isBusy()).toBe(said);
});

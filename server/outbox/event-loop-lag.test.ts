import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchEventLoopLag } from './event-loop-lag.ts';

it('is busy after work without a pause, and not after a pause', async () => {
  const isBusy = watchEventLoopLag(10);
  await pause(1);
  isBusy();
  const end = performance.now() + 20;
  while (performance.now() < end);
  expect(isBusy()).toBe(true);
  // A machine that has others to serve may make a pause of its own: the next one tells.
  await expect
    .poll(async () => {
      await pause(20);
      return isBusy();
    })
    .toBe(false);
});

it('says the same for a while: a moment is too short to be measured', async () => {
  const isBusy = watchEventLoopLag(60_000);
  await pause(20);
  const said = isBusy();
  const end = performance.now() + 20;
  while (performance.now() < end);
  expect(isBusy()).toBe(said);
});

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
  // Far longer than what a busy machine takes from this process between two lines.
  await pause(300);
  expect(isBusy()).toBe(false);
});

it('says the same for a while: a moment is too short to be measured', async () => {
  const isBusy = watchEventLoopLag(60_000);
  await pause(20);
  const said = isBusy();
  const end = performance.now() + 20;
  while (performance.now() < end);
  expect(isBusy()).toBe(said);
});

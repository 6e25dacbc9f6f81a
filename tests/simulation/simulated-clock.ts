import { vi } from 'vitest';
import type { Clock } from '#server/time.ts';

/** Start of virtual time, in milliseconds. */
const START = 1_000_000;

/** Returns virtual time in milliseconds, of the wall clock and the monotonic clock alike. */
export const now = (): number => Date.now();

export const VIRTUAL_CLOCK: Clock = { now, monotonic: now };

/** Runs `work` with fake timers, which fire only during `pass`. */
export async function inVirtualTime(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ now: START, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

/** Resolves when all pending promise callbacks have run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Advances virtual time, and settles after each timer. */
export async function pass(ms: number): Promise<void> {
  await settle();
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, ms);
  while (!isOver) {
    vi.advanceTimersToNextTimer();
    await settle();
  }
}

import { vi } from 'vitest';

/** Where virtual time starts, in milliseconds. */
const START = 1_000_000;

/** Milliseconds of virtual time: both the wall clock and the monotonic one. */
export const now = (): number => Date.now();

/** Runs `work` in a virtual time of its own: timers fire only while it `pass`es. */
export async function inVirtualTime(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ now: START, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

/** Lets everything happen that needs no time. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets time pass, timer by timer: what one of them sets off is over before the next. */
export async function pass(ms: number): Promise<void> {
  await settle();
  let arrived = false;
  setTimeout(() => {
    arrived = true;
  }, ms);
  while (!arrived) {
    vi.advanceTimersToNextTimer();
    await settle();
  }
}

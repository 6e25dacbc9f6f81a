import { performance } from 'node:perf_hooks';

/** Of the time between two looks, how much of it makes a process busy. */
const BUSY = 0.9;
/** Between two looks, in milliseconds: within less, any burst of work would count. */
const LOOK_EVERY_MS = 250;

/** Tells whether the event loop has been at work nearly all of the last moment. */
export function watchEventLoopLag(lookEveryMs = LOOK_EVERY_MS): () => boolean {
  let last = performance.eventLoopUtilization();
  let lookAgainAt = 0;
  let isBusy = false;
  return () => {
    if (performance.now() < lookAgainAt) return isBusy;
    lookAgainAt = performance.now() + lookEveryMs;
    const now = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(now, last).utilization > BUSY;
    last = now;
    return isBusy;
  };
}

import { performance } from 'node:perf_hooks';

/** Utilization of the event loop (0 to 1) above which a process is busy. */
const BUSY_SHARE = 0.9;
/** In milliseconds: over less, any burst of work would count. */
const INTERVAL_MS = 250;

/** Returns a check whether the event loop was busy nearly all of the last interval. Costs nothing between two checks. */
export function watchEventLoopUtilization(intervalMs = INTERVAL_MS): () => boolean {
  let last = performance.eventLoopUtilization();
  let nextAt = 0;
  let isBusy = false;
  return () => {
    if (performance.now() < nextAt) return isBusy;
    nextAt = performance.now() + intervalMs;
    const now = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(now, last).utilization > BUSY_SHARE;
    last = now;
    return isBusy;
  };
}

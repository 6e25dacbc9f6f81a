import { performance } from 'node:perf_hooks';

/** Of the time between two questions, how much of it makes a process busy. */
const BUSY = 0.9;

/** Tells whether the event loop has been at work nearly all the time since it was last asked. */
export function watchBusyLoop(): () => boolean {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization > BUSY;
  };
}

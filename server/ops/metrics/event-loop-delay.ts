import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Prometheus scrapes once a minute unless told otherwise: it sees each delay at least once. */
const WINDOW_MS = 60_000;
/** A sample is the interval of the monitor's timer and the delay on top of it. */
const RESOLUTION_MS = 20;

/**
 * Measures the event-loop delay over a sliding window. Of two monitors the older is read; at the end of a window it is
 * reset and becomes the younger. A reset loses the sample in progress, which the other monitor has.
 */
export function watchEventLoopDelay() {
  const createMonitor = () => monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let [older, younger] = [createMonitor(), createMonitor()];
  older.enable();
  younger.enable();
  const timer = setInterval(() => {
    older.reset();
    [older, younger] = [younger, older];
  }, WINDOW_MS);
  timer.unref();
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000) || 0;

  return {
    /** Returns the delay over the last one to two windows, or since the start, in seconds. Reading it resets nothing. */
    value: () => ({ p50: late(older.percentile(50)), p99: late(older.percentile(99)), max: late(older.max) }),
    close(): void {
      clearInterval(timer);
      older.disable();
      younger.disable();
    },
  };
}

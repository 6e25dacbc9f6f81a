import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How late the event loop ran, in seconds. */
export interface EventLoopDelay {
  p50: number;
  p99: number;
  max: number;
}

export type DelayMonitor = Pick<
  ReturnType<typeof monitorEventLoopDelay>,
  'max' | 'percentile' | 'reset' | 'enable' | 'disable'
>;

export interface EventLoopDelayWindow {
  /** Returns the delay over the last one to two windows, or since the start. Reading it resets nothing. */
  value(): EventLoopDelay;
  close(): void;
}

/** A sample is the interval of the monitor's timer and the delay on top of it. */
const RESOLUTION_MS = 20;

/**
 * Measures the event-loop delay over a sliding window. Of two monitors the older is read; at the end of a window it is
 * reset and becomes the younger. A reset loses the sample in progress, which the other monitor has.
 */
export function watchEventLoopDelay(
  windowMs: number,
  createMonitor: () => DelayMonitor = () => monitorEventLoopDelay({ resolution: RESOLUTION_MS }),
): EventLoopDelayWindow {
  let [older, younger] = [createMonitor(), createMonitor()];
  older.enable();
  younger.enable();
  const timer = setInterval(() => {
    older.reset();
    [older, younger] = [younger, older];
  }, windowMs);
  timer.unref();
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000) || 0;

  return {
    value: () => ({ p50: late(older.percentile(50)), p99: late(older.percentile(99)), max: late(older.max) }),
    close() {
      clearInterval(timer);
      older.disable();
      younger.disable();
    },
  };
}

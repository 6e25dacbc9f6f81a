import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** How late the event loop ran, in seconds. */
export interface EventLoopDelay {
  p50: number;
  p99: number;
  max: number;
}

/** What is known of the event loop at any moment, whoever asks and however often. */
export interface EventLoopWindows {
  /** Over the last one to two minutes, or since the start. */
  delay(): EventLoopDelay;
  /** Share of the last 15 to 30 seconds, or since the start, in which it was at work. */
  utilization(): number;
  close(): void;
}

export type DelayMonitor = Pick<
  ReturnType<typeof monitorEventLoopDelay>,
  'max' | 'percentile' | 'reset' | 'enable' | 'disable'
>;

/** A scraper that comes once a minute, as Prometheus does unless told, sees each delay at least once. */
export const DELAY_WINDOW_MS = 60_000;
/** An autoscaler needs what is so now. */
export const UTILIZATION_WINDOW_MS = 15_000;
/** A monitor's samples are its timer's own interval and what came on top of it. */
const RESOLUTION_MS = 20;

/** A monitor that is enabled by whoever wants its figures. */
export function createDelayMonitor(): DelayMonitor {
  return monitorEventLoopDelay({ resolution: RESOLUTION_MS });
}

/** What a monitor has seen since it was reset. */
export function delayOf(monitor: DelayMonitor): EventLoopDelay {
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000) || 0;
  return { p50: late(monitor.percentile(50)), p99: late(monitor.percentile(99)), max: late(monitor.max) };
}

/**
 * Watches the event loop. Of two measurements of each kind the older is told and, when a window ends, begins anew and
 * becomes the younger: nothing is reset by being read, so that two scrapers see the same.
 */
export function watchEventLoop(createMonitor = createDelayMonitor): EventLoopWindows {
  let [older, younger] = [createMonitor(), createMonitor()];
  older.enable();
  younger.enable();
  let [begun, begunNext] = [performance.eventLoopUtilization(), performance.eventLoopUtilization()];

  const delays = setInterval(() => {
    older.reset();
    [older, younger] = [younger, older];
  }, DELAY_WINDOW_MS);
  const utilizations = setInterval(() => {
    [begun, begunNext] = [begunNext, performance.eventLoopUtilization()];
  }, UTILIZATION_WINDOW_MS);
  delays.unref();
  utilizations.unref();

  return {
    delay: () => delayOf(older),
    utilization: () => performance.eventLoopUtilization(begun).utilization,
    close() {
      clearInterval(delays);
      clearInterval(utilizations);
      older.disable();
      younger.disable();
    },
  };
}

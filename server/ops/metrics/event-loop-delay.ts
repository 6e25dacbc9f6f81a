import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

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

/** A figure over a window of time, the same for everybody who asks and however often. */
export interface Windowed<T> {
  value(): T;
  close(): void;
}

/** A monitor's samples are its timer's own interval and what came on top of it. */
const RESOLUTION_MS = 20;

/**
 * Watches how late the event loop runs, over the last one to two windows or since the start. Of two monitors the older
 * is told; when a window ends it begins anew and becomes the younger. Nothing is reset by being read, and a monitor,
 * which loses the sample under way when it is reset, is not told until a window after that.
 */
export function watchDelay(
  windowMs: number,
  createMonitor: () => DelayMonitor = () => monitorEventLoopDelay({ resolution: RESOLUTION_MS }),
): Windowed<EventLoopDelay> {
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

/** The share of the last one to two windows, or of the time since the start, in which the event loop was at work. */
export function watchUtilization(windowMs: number): Windowed<number> {
  let [older, younger] = [performance.eventLoopUtilization(), performance.eventLoopUtilization()];
  const timer = setInterval(() => {
    [older, younger] = [younger, performance.eventLoopUtilization()];
  }, windowMs);
  timer.unref();

  return {
    value: () => performance.eventLoopUtilization(older).utilization,
    close: () => clearInterval(timer),
  };
}

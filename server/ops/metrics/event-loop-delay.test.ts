import { syncBuiltinESMExports } from 'node:module';
import perfHooks from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchEventLoopDelay } from './event-loop-delay.ts';

const WINDOW_MS = 60_000;

/** Monitors whose samples the test gives, in milliseconds. */
function scriptedMonitors() {
  const all: { samples: number[]; isEnabled: boolean }[] = [];
  const monitor = perfHooks.monitorEventLoopDelay;
  vi.spyOn(perfHooks, 'monitorEventLoopDelay').mockImplementation(() => {
    const own = { samples: [0], isEnabled: false };
    all.push(own);
    // In nanoseconds, and with the 20 ms of the timer's own interval.
    const highest = () => (Math.max(...own.samples) + 20) * 1e6;
    return Object.defineProperties(monitor(), {
      max: { get: highest },
      percentile: { value: highest },
      reset: { value: () => own.samples.splice(1) },
      enable: { value: () => (own.isEnabled = true) },
      disable: { value: () => (own.isEnabled = false) },
    });
  });
  // What has imported it by its name gets the scripted one too.
  syncBuiltinESMExports();
  return {
    sample(ms: number) {
      for (const { samples, isEnabled } of all) if (isEnabled) samples.push(ms);
    },
    enabled: () => all.filter(({ isEnabled }) => isEnabled).length,
  };
}

describe('the event-loop delay', () => {
  let monitors: ReturnType<typeof scriptedMonitors>;
  let delay: ReturnType<typeof watchEventLoopDelay>;

  beforeEach(() => {
    vi.useFakeTimers();
    monitors = scriptedMonitors();
    delay = watchEventLoopDelay();
  });
  afterEach(() => {
    delay.close();
    vi.useRealTimers();
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('is the same however often it is read', () => {
    monitors.sample(80);
    expect(delay.value().max).toBeCloseTo(0.08);
    expect(delay.value()).toEqual(delay.value());
    monitors.sample(30);
    expect(delay.value().max).toBeCloseTo(0.08);
  });

  it('covers one window at least and two at most', () => {
    vi.advanceTimersByTime(WINDOW_MS - 1);
    monitors.sample(80);
    vi.advanceTimersByTime(WINDOW_MS);
    expect(delay.value().max).toBeCloseTo(0.08);
    vi.advanceTimersByTime(1);
    expect(delay.value().max).toBe(0);
  });

  it('is no longer measured once it is closed', () => {
    expect(monitors.enabled()).toBe(2);
    monitors.sample(80);
    delay.close();
    expect(monitors.enabled()).toBe(0);
    vi.advanceTimersByTime(2 * WINDOW_MS);
    expect(delay.value().max).toBeCloseTo(0.08);
  });
});

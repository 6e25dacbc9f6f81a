import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type DelayMonitor,
  type EventLoopDelay,
  type Windowed,
  watchDelay,
  watchUtilization,
} from './event-loop-delay.ts';

const WINDOW_MS = 60_000;

/** A monitor that is told by the test how late the loop ran, in milliseconds. */
function scriptedMonitors() {
  const all: { seen: number[]; isEnabled: boolean }[] = [];
  function create(): DelayMonitor {
    const own = { seen: [0], isEnabled: false };
    all.push(own);
    // In nanoseconds, and with the 20 ms of the timer's own interval.
    const highest = () => (Math.max(...own.seen) + 20) * 1e6;
    return {
      get max() {
        return highest();
      },
      percentile: highest,
      reset: () => own.seen.splice(1),
      enable: () => (own.isEnabled = true),
      disable: () => (own.isEnabled = false),
    };
  }
  return {
    create,
    runsLate(ms: number) {
      for (const { seen, isEnabled } of all) if (isEnabled) seen.push(ms);
    },
    enabled: () => all.filter(({ isEnabled }) => isEnabled).length,
  };
}

describe('the delay of the event loop', () => {
  let monitors: ReturnType<typeof scriptedMonitors>;
  let delay: Windowed<EventLoopDelay>;

  beforeEach(() => {
    vi.useFakeTimers();
    monitors = scriptedMonitors();
    delay = watchDelay(WINDOW_MS, monitors.create);
  });
  afterEach(() => {
    delay.close();
    vi.useRealTimers();
  });

  it('is the same for everybody who asks', () => {
    monitors.runsLate(80);
    expect(delay.value().max).toBeCloseTo(0.08);
    expect(delay.value()).toEqual(delay.value());
    monitors.runsLate(30);
    expect(delay.value().max).toBeCloseTo(0.08);
  });

  it('is told for a whole window at least, and for two at most', () => {
    vi.advanceTimersByTime(WINDOW_MS - 1);
    monitors.runsLate(80);
    vi.advanceTimersByTime(WINDOW_MS);
    expect(delay.value().max).toBeCloseTo(0.08);
    vi.advanceTimersByTime(1);
    expect(delay.value().max).toBe(0);
  });

  it('is not measured any more once it is closed', () => {
    expect(monitors.enabled()).toBe(2);
    delay.close();
    expect(monitors.enabled()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('tells the share of its time in which the loop is at work without beginning anew for it', () => {
  const utilization = watchUtilization(WINDOW_MS);
  const until = performance.now() + 50;
  while (performance.now() < until);
  const first = utilization.value();
  expect(first).toBeGreaterThan(0);
  expect(utilization.value()).toBeGreaterThan(first / 2);
  utilization.close();
});

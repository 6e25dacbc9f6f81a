import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  DELAY_WINDOW_MS,
  type DelayMonitor,
  type EventLoopWindows,
  watchEventLoop,
} from './event-loop-delay.ts';

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
  let loop: EventLoopWindows;

  beforeEach(() => {
    vi.useFakeTimers();
    monitors = scriptedMonitors();
    loop = watchEventLoop(monitors.create);
  });
  afterEach(() => {
    loop.close();
    vi.useRealTimers();
  });

  it('is the same for everybody who asks', () => {
    monitors.runsLate(80);
    expect(loop.delay().max).toBeCloseTo(0.08);
    expect(loop.delay()).toEqual(loop.delay());
    monitors.runsLate(30);
    expect(loop.delay().max).toBeCloseTo(0.08);
  });

  it('is told for a whole window at least, and for two at most', () => {
    vi.advanceTimersByTime(DELAY_WINDOW_MS - 1);
    monitors.runsLate(80);
    vi.advanceTimersByTime(DELAY_WINDOW_MS);
    expect(loop.delay().max).toBeCloseTo(0.08);
    vi.advanceTimersByTime(1);
    expect(loop.delay().max).toBe(0);
  });

  it('is not measured any more once it is closed', () => {
    expect(monitors.enabled()).toBe(2);
    loop.close();
    expect(monitors.enabled()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('tells the share of its time in which the loop is at work without beginning anew for it', () => {
  const loop = watchEventLoop();
  const until = performance.now() + 50;
  while (performance.now() < until);
  const first = loop.utilization();
  expect(first).toBeGreaterThan(0);
  expect(loop.utilization()).toBeGreaterThan(first / 2);
  loop.close();
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { scheduleSnapshots } from './snapshot-schedule.ts';

const save = vi.fn();
let purge: () => void;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  save.mockClear();
  stop = scheduleSnapshots({
    save,
    onPurge: (listener) => {
      purge = listener;
    },
  });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

it('saves every twenty seconds, and a second after a purge', () => {
  purge();
  vi.advanceTimersByTime(1_000);
  expect(save).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(19_000);
  expect(save).toHaveBeenCalledTimes(2);
});

it('saves twice in twenty seconds at most, however often something is purged', () => {
  for (let second = 0; second < 40; second++) {
    purge();
    vi.advanceTimersByTime(1_000);
  }
  expect(save).toHaveBeenCalledTimes(4);
});

it('saves no more once it is stopped', () => {
  purge();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(save).not.toHaveBeenCalled();
});

/** Time, as the outbox sees it. */
export interface OutboxClock {
  /** Wall clock, milliseconds. Read once, at the start: a clock that is set does not change ages. */
  now(): number;
  /** Monotonic milliseconds. */
  monotonic(): number;
}

export const systemClock: OutboxClock = { now: Date.now, monotonic: () => performance.now() };

/** Runs `work` once after `ms`; calling what it returns prevents that. */
export type After = (ms: number, work: () => void) => () => void;

/** Timers that do not keep the process alive. */
export const afterSystemTime: After = (ms, work) => {
  const timer = setTimeout(work, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

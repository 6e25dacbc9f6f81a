/** The clocks of the outbox, in milliseconds. */
export interface OutboxClock {
  /** Wall clock. Read once, at the start: setting it changes no ages. */
  now(): number;
  monotonic(): number;
}

export const systemClock: OutboxClock = { now: Date.now, monotonic: () => performance.now() };

/** Runs `work` once after `ms`. Returns what cancels that. */
export type After = (ms: number, work: () => void) => () => void;

/** Timers that do not keep the process alive. */
export const afterSystemTime: After = (ms, work) => {
  const timer = setTimeout(work, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

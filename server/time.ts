/** The time, which comes in as an option: nothing below bootstrap reads the system's. */
export interface Clock {
  /** Returns wall milliseconds since 1970, for dates. */
  now(): number;
  /** Returns monotonic milliseconds since the process started, for ages and deadlines. */
  monotonic(): number;
}

/** The clock of the system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

export const MINUTE_MS = 60_000;

/** Does `work` in `ms`, unless the timer is cleared, without keeping the process alive. */
export function after(ms: number, work: () => void): NodeJS.Timeout {
  return setTimeout(work, ms).unref();
}

/** Resolves after so many milliseconds, without keeping the process alive. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void after(ms, resolve));
}

/** Returns a function that returns true once a minute at most: for log lines of what may go on for hours. */
export function createLogThrottle(clock: Clock): () => boolean {
  const countOfLine = createLineCounter(clock, MINUTE_MS);
  return () => countOfLine() !== null;
}

/**
 * Creates a limit of log lines: one in `intervalMs` for each subject. The returned function is called for each event. It
 * returns how many events the line that is to be written now stands for, or null where none is to be written. `about`: the
 * subject, of which there must be few.
 */
export function createLineCounter(clock: Clock, intervalMs = 1_000): (about?: string) => number | null {
  const lines = new Map<string, { loggedAt: number; count: number }>();
  return (about = '') => {
    const now = clock.monotonic();
    const { loggedAt, count } = lines.get(about) ?? { loggedAt: Number.NEGATIVE_INFINITY, count: 0 };
    const isDue = now - loggedAt >= intervalMs;
    lines.set(about, isDue ? { loggedAt: now, count: 0 } : { loggedAt, count: count + 1 });
    return isDue ? count + 1 : null;
  };
}

/** Resolves with the result of `work`, or with null after `ms`. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

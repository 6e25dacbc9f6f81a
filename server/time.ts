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
  let nextAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.monotonic() < nextAt) return false;
    nextAt = clock.monotonic() + 60_000;
    return true;
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

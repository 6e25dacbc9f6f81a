/** Grants turns at a steady rate. */
export interface Throttle {
  /** Returns the milliseconds until the next turn is free. */
  wait(): number;
  /** Takes the next turn and returns the milliseconds until it comes. */
  take(): number;
}

/** One turn each `intervalMs()`, which is read at each turn; idle time saves none up. `monotonic`: milliseconds. */
export function createThrottle(intervalMs: () => number, monotonic: () => number): Throttle {
  let free = Number.NEGATIVE_INFINITY;
  const wait = () => Math.max(0, free - monotonic());
  return {
    wait,
    take() {
      const ms = wait();
      free = monotonic() + ms + intervalMs();
      return ms;
    },
  };
}

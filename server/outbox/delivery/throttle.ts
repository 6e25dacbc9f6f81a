/** Grants turns at a steady rate, in the order in which they are asked for. */
export interface Throttle {
  /** Reserves the next turn and returns the milliseconds until it comes. */
  take(): number;
}

/** One turn each `intervalMs()`, which is asked for at each turn. `monotonic`: milliseconds. */
export function createThrottle(intervalMs: () => number, monotonic: () => number): Throttle {
  let free = Number.NEGATIVE_INFINITY;
  return {
    take() {
      const now = monotonic();
      const turn = Math.max(now, free);
      free = turn + intervalMs();
      return turn - now;
    },
  };
}

/** What waited while the upstream was away goes ten a second: one that has just come back is not run over. */
export const BACKLOG_INTERVAL_MS = 100;

/** Hands out turns at a steady rate, in the order in which they are asked for. */
export interface Pace {
  /** Takes the next turn and tells in how many milliseconds it comes. */
  take(): number;
}

/** One turn each `intervalMs()`, which is asked for at each turn. `monotonic`: milliseconds. */
export function createPace(intervalMs: () => number, monotonic: () => number): Pace {
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

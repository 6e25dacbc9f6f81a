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

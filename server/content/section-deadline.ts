import { after } from '#server/time.ts';

/** Optional sections are waited for this long after a page's primary resource is there, in milliseconds. */
export const OPTIONAL_WAIT_MS = 1_000;
/** A timer that is later than this (ms) is so because the process was busy. Sections then have a little more time (ms). */
const LATE_MS = 20;
const CATCH_UP_MS = 100;

/**
 * Creates the deadlines of one response: optional sections are waited for `waitMs` after its primary resource is there, or
 * after now where it has none, and never longer than `maxMs` from now.
 */
export function createDeadline(maxMs: number, waitMs = OPTIONAL_WAIT_MS) {
  const began = performance.now();
  /** Of each section that is waited for: sets its timer anew. */
  const waiting = new Set<() => void>();
  let pendingPrimaries = 0;
  let primaryAt = began;

  function remainingMs(): number {
    const end = pendingPrimaries > 0 ? Number.POSITIVE_INFINITY : primaryAt + waitMs;
    return Math.max(0, Math.min(began + maxMs, end) - performance.now());
  }

  function countPrimaries(change: 1 | -1): void {
    pendingPrimaries += change;
    primaryAt = performance.now();
    for (const setTimer of waiting) setTimer();
  }

  return {
    /** Says that a primary resource is being loaded. */
    async primary(loading: Promise<unknown>): Promise<void> {
      countPrimaries(1);
      await loading.catch(() => undefined);
      countPrimaries(-1);
    },

    /** Resolves with the value of an optional section. Rejects if it fails or is late. */
    async optional<T>(loading: Promise<T>): Promise<T> {
      let timer: NodeJS.Timeout | undefined;
      const { promise: late, reject } = Promise.withResolvers<never>();
      const setTimer = () => {
        clearTimeout(timer);
        const end = () => reject(new Error('no value in time'));
        const dueAt = performance.now() + remainingMs();
        timer = after(remainingMs(), () => {
          // The process was busy: what has arrived meanwhile is read and decompressed after the timers that are over.
          if (performance.now() - dueAt > LATE_MS) timer = after(CATCH_UP_MS, end);
          else end();
        });
      };
      waiting.add(setTimer);
      setTimer();
      try {
        return await Promise.race([loading, late]);
      } finally {
        clearTimeout(timer);
        waiting.delete(setTimer);
      }
    },
  };
}

import { setTimeout } from 'node:timers/promises';

/** Waits some milliseconds; rejects when the signal is aborted. Comes in as a parameter, so that tests own the time. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

/** Waits by the process's own timers. */
export const pauseFor: Pause = (ms, signal) => setTimeout(ms, undefined, { signal });

/** What `answer` resolves to if that is within `ms`, else null. Rejects if `answer` does so in time. */
export async function within<T>(ms: number, answer: Promise<T>, pause: Pause): Promise<T | null> {
  if (ms <= 0) return null;
  const answered = new AbortController();
  try {
    return await Promise.race([answer, pause(ms, answered.signal).then(() => null)]);
  } finally {
    answered.abort();
  }
}

import PQueue from 'p-queue';

/** Resolves when a permit is free, with what releases it. Rejects when too many wait already or `signal` aborts. */
export type TakePermit = (signal: AbortSignal) => Promise<() => void>;

/**
 * Makes a semaphore, first come first served: at most `limit` permits at a time, at most `queueLimit` callers wait for one. A
 * permit also ends with its signal.
 */
export function createConcurrencyLimit(limit: number, queueLimit: number): TakePermit {
  const queue = new PQueue({ concurrency: limit });
  return (signal) =>
    new Promise((resolve, reject) => {
      if (queue.size >= queueLimit) reject(new Error('too many calls wait'));
      else queue.add(() => new Promise<void>((release) => resolve(release)), { signal }).catch(reject);
    });
}

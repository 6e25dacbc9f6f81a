import PQueue from 'p-queue';

/** A semaphore: limits calls in flight, first come first served. */
export interface ConcurrencyLimit {
  /**
   * Resolves when a permit is free, with what releases it, to be called once. Rejects with `ConcurrencyLimitExceeded`
   * when too many wait already or `signal` aborts.
   */
  take(signal: AbortSignal): Promise<() => void>;
}

/** No permit was free in time. */
export class ConcurrencyLimitExceeded extends Error {
  constructor() {
    super('no permit was free in time');
    this.name = 'ConcurrencyLimitExceeded';
  }
}

/** Gives out at most `limit` permits at a time; at most `queueLimit` callers wait for one. A permit also ends with its signal. */
export function createConcurrencyLimit(limit: number, queueLimit: number): ConcurrencyLimit {
  const queue = new PQueue({ concurrency: limit });
  return {
    take: (signal) =>
      new Promise((resolve, reject) => {
        const refuse = () => reject(new ConcurrencyLimitExceeded());
        if (queue.size >= queueLimit) refuse();
        else queue.add(() => new Promise<void>((release) => resolve(release)), { signal }).catch(refuse);
      }),
  };
}

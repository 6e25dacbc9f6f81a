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

/** Gives out at most `limit` permits at a time; at most `queueLimit` callers wait for one. */
export function createConcurrencyLimit(limit: number, queueLimit: number): ConcurrencyLimit {
  const waiters = new Set<() => void>();
  let taken = 0;

  function release(): void {
    const [admitNext] = waiters;
    if (admitNext) admitNext();
    else taken -= 1;
  }

  function queue(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      waiters.delete(admit);
      reject(new ConcurrencyLimitExceeded());
    };
    const admit = (): void => {
      waiters.delete(admit);
      signal.removeEventListener('abort', leave);
      resolve();
    };
    waiters.add(admit);
    signal.addEventListener('abort', leave, { once: true });
    return promise;
  }

  return {
    async take(signal) {
      if (signal.aborted) throw new ConcurrencyLimitExceeded();
      if (taken < limit) taken += 1;
      else if (waiters.size >= queueLimit) throw new ConcurrencyLimitExceeded();
      else await queue(signal);
      return release;
    },
  };
}

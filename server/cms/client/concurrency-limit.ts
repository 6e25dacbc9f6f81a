/** Releases the permit. Calling it again does nothing. */
export type Release = () => void;

/** A semaphore: limits calls in flight, first come first served. */
export interface ConcurrencyLimit {
  /** Resolves when a permit is free. Rejects with `ConcurrencyLimitExceeded` when too many wait already or `signal` aborts. */
  take(signal: AbortSignal): Promise<Release>;
}

/** No permit was free in time. */
export class ConcurrencyLimitExceeded extends Error {
  constructor() {
    super('no permit was free in time');
    this.name = 'Full';
  }
}

interface Waiter {
  admit: () => void;
}

/** Gives out at most `limit` permits at a time; at most `queueLimit` callers wait for one. */
export function createConcurrencyLimit(limit: number, queueLimit: number): ConcurrencyLimit {
  const waiters = new Set<Waiter>();
  let taken = 0;

  function admitNext(): void {
    const [next] = waiters;
    if (next) next.admit();
    else taken -= 1;
  }

  function releaseOnce(): Release {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      admitNext();
    };
  }

  function queue(signal: AbortSignal): Promise<Release> {
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const leave = (): void => {
      waiters.delete(waiter);
      reject(new ConcurrencyLimitExceeded());
    };
    const waiter: Waiter = {
      admit: () => {
        waiters.delete(waiter);
        signal.removeEventListener('abort', leave);
        resolve(releaseOnce());
      },
    };
    waiters.add(waiter);
    signal.addEventListener('abort', leave, { once: true });
    return promise;
  }

  return {
    async take(signal) {
      if (signal.aborted) throw new ConcurrencyLimitExceeded();
      if (taken < limit) {
        taken += 1;
        return releaseOnce();
      }
      if (waiters.size >= queueLimit) throw new ConcurrencyLimitExceeded();
      return await queue(signal);
    },
  };
}

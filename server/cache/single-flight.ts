/** A load under way. */
export interface Load {
  /** Purged while it was under way: what it brings may be from before, and is not kept. */
  outdated: boolean;
}

interface Running<T> extends Load {
  settled: Promise<T>;
  startedAt: number;
}

/** The loads under way, one a key however many wait. `clock` in monotonic milliseconds. */
export function createSingleFlight<T>(clock: () => number) {
  const running = new Map<string, Running<T>>();

  return {
    has: (key: string): boolean => running.has(key),

    /** The load of a key: the one under way, or `load` now. A leader that fails fails its waiters once. */
    run(key: string, load: (current: Load) => Promise<T>): Promise<T> {
      const known = running.get(key);
      if (known) return known.settled;
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const current: Running<T> = { settled: promise, startedAt: clock(), outdated: false };
      running.set(key, current);
      void load(current)
        .finally(() => running.delete(key))
        .then(resolve, reject);
      return promise;
    },

    /** How long a key's load has been under way, in milliseconds; 0 where there is none. */
    duration(key: string): number {
      const current = running.get(key);
      return current ? clock() - current.startedAt : 0;
    },

    /** Readers who come after a purge wait for new data, not for a load that began before it. One load a key all the same. */
    outdated(key: string): Promise<unknown> | null {
      const current = running.get(key);
      return current?.outdated ? current.settled.catch(() => undefined) : null;
    },

    markOutdated(meant: (key: string) => boolean): void {
      for (const [key, current] of running) if (meant(key)) current.outdated = true;
    },
  };
}

/** What `load` comes to, if it comes in time; null when it is late. */
export async function within<T>(ms: number, load: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, ms));
  });
  try {
    return await Promise.race([load, late]);
  } finally {
    clearTimeout(timer);
  }
}

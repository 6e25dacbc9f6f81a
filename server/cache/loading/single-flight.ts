import type { Clock } from '#server/time.ts';
import { NO_TRACING, type Tracing } from '#server/tracing/tracing.ts';

/** A load in flight. */
export interface Load {
  /** Whether a purge of its key came while it was in flight: its value may be of before, and is not stored. */
  isOutdated: boolean;
  /** Tags purged since it began. A value that has one of them is not stored either. */
  purgedTags: Set<string>;
}

interface InFlightLoad<T> extends Load {
  result: Promise<T>;
  startedAt: number;
  /** The span that it began in; null where that is not sampled. */
  traceparent: string | null;
}

/** Creates single-flight: concurrent loads of one key share one. */
export function createSingleFlight<T>(
  clock: Clock,
  tracing: Pick<Tracing, 'child' | 'current'> = NO_TRACING,
) {
  const inFlight = new Map<string, InFlightLoad<T>>();

  return {
    has: (key: string): boolean => inFlight.has(key),

    /** Joins the key's load in flight, or starts `load`. A failure rejects for all who joined. */
    run(key: string, load: (current: Load) => Promise<T>): Promise<T> {
      const joined = inFlight.get(key);
      if (joined) return waitFor(joined, tracing);
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const current: InFlightLoad<T> = {
        result: promise,
        startedAt: clock.monotonic(),
        isOutdated: false,
        purgedTags: new Set(),
        traceparent: tracing.current(),
      };
      inFlight.set(key, current);
      void load(current)
        .finally(() => inFlight.delete(key))
        .then(resolve, reject);
      return promise;
    },

    /** Returns how long the key's load has been in flight, in milliseconds; 0 where there is none. */
    elapsedMs(key: string): number {
      const current = inFlight.get(key);
      return current ? clock.monotonic() - current.startedAt : 0;
    },

    /**
     * Returns a promise of the end of the key's load where a purge made it outdated, else null. Who comes after the purge
     * waits for it and then loads again, so that a key never has two loads in flight.
     */
    outdated(key: string): Promise<unknown> | null {
      const current = inFlight.get(key);
      return current?.isOutdated ? current.result.catch(() => undefined) : null;
    },

    /** To be called with each purge. `matches`: whether it concerns a key, whatever that brings. */
    purged(tags: readonly string[], matches: (key: string) => boolean): void {
      for (const [key, current] of inFlight) {
        if (matches(key)) current.isOutdated = true;
        for (const tag of tags) current.purgedTags.add(tag);
      }
    },
  };
}

/** Waits for what another request has begun, in a span that links to it. */
export function waitFor<T>(
  { result, traceparent }: { result: Promise<T>; traceparent: string | null },
  tracing: Pick<Tracing, 'child'>,
): Promise<T> {
  return tracing.child('single-flight wait', { linkedTo: traceparent }, () => result);
}

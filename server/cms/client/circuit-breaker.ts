import { type Clock, withTimeout } from '#server/time.ts';

export type BreakerState = 'closed' | 'open' | 'half-open';

/** Thrown in place of a call while the breaker is open. */
export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen';

  constructor() {
    super('the circuit breaker is open');
  }
}

/**
 * It opens where `share` (0 to 1) of at least `leastCalls` calls within `windowMs` have failed, and those that failed were
 * about at least `leastKeys` keys: what fails for one of them says nothing of the others.
 */
export interface BreakerOptions {
  share: number;
  leastCalls: number;
  leastKeys: number;
  windowMs: number;
  /** How long it stays open before one probe, in milliseconds. */
  openMs: number;
  /** While half-open, calls wait for the probe for this long after it began, in milliseconds. Default: not at all. */
  probeWaitMs?: number;
  clock: Clock;
  /** Errors that count as failures of the upstream; after any other, such as a 404, the call counts as a success. */
  isFailure: (error: unknown) => boolean;
  onChange?: (state: BreakerState) => void;
}

/** Of every upstream: half of at least 20 calls in ten seconds failed, about five things; one probe after five seconds. */
export const BREAKER_RULE = { share: 0.5, leastCalls: 20, leastKeys: 5, windowMs: 10_000, openMs: 5_000 };

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/**
 * Makes a circuit breaker, which stops calls to an upstream that keeps failing. Half-open, it has one probe in flight: other
 * calls wait for its outcome for a moment, and are rejected after that.
 */
export function createCircuitBreaker(options: BreakerOptions) {
  const { clock, isFailure, openMs, probeWaitMs = 0, onChange } = options;
  const recent = createRollingWindow(options);
  let state: BreakerState = 'closed';
  let changedAt = 0;
  let changed = Promise.withResolvers<void>();

  function change(next: BreakerState): void {
    state = next;
    changedAt = clock.monotonic();
    changed.resolve();
    changed = Promise.withResolvers();
    recent.clear();
    onChange?.(next);
  }

  const current = () => state;

  /** Whether `run` would reject now. */
  function isRejecting(): boolean {
    const ms = clock.monotonic() - changedAt;
    return (state === 'open' && ms < openMs) || (state === 'half-open' && ms >= probeWaitMs);
  }

  return {
    state: current,
    isRejecting,
    /**
     * Runs one call. `key`: what it is about, such as its path. Rejects with the call's own error, or with `BreakerOpen`: at
     * once, or when the probe in flight has told.
     */
    async run<T>(key: string, call: () => Promise<T>): Promise<T> {
      if (isRejecting()) throw new BreakerOpen();
      if (current() === 'half-open') {
        await withTimeout(changedAt + probeWaitMs - clock.monotonic(), changed.promise);
        if (current() !== 'closed') throw new BreakerOpen();
      }
      const isProbe = current() === 'open';
      if (isProbe) change('half-open');
      let hasFailed = false;
      try {
        return await call();
      } catch (error) {
        hasFailed = isFailure(error);
        throw error;
      } finally {
        if (isProbe) change(hasFailed ? 'open' : 'closed');
        else if (current() === 'closed' && recent.add(key, hasFailed)) change('open');
      }
    },
  };
}

interface Bucket {
  start: number;
  calls: number;
  failures: number;
  /** Keys of the failures, as many as are needed. */
  keys: Set<string>;
}

const BUCKETS = 10;

/** Counts calls and failures of the last `windowMs` on a monotonic clock (ms). */
function createRollingWindow({ share, leastCalls, leastKeys, windowMs, clock }: BreakerOptions) {
  let buckets: Bucket[] = [];

  function current(): Bucket {
    const now = clock.monotonic();
    buckets = buckets.filter(({ start }) => now - start < windowMs);
    const last = buckets.at(-1);
    if (last && now - last.start < windowMs / BUCKETS) return last;
    const next = { start: now, calls: 0, failures: 0, keys: new Set<string>() };
    buckets.push(next);
    return next;
  }

  return {
    clear(): void {
      buckets = [];
    },
    /** Counts a call. Returns whether too many have failed. */
    add(key: string, hasFailed: boolean): boolean {
      const bucket = current();
      bucket.calls++;
      if (!hasFailed) return false;
      bucket.failures++;
      if (bucket.keys.size < leastKeys) bucket.keys.add(key);
      const calls = buckets.reduce((sum, one) => sum + one.calls, 0);
      const failures = buckets.reduce((sum, one) => sum + one.failures, 0);
      const keys = new Set(buckets.flatMap((one) => [...one.keys]));
      return calls >= leastCalls && failures >= calls * share && keys.size >= leastKeys;
    },
  };
}

import { CircuitState, circuitBreaker, handleWhen, type IBackoff, type IBreaker } from 'cockatiel';
import { type Clock, withTimeout } from '#server/time.ts';

export type BreakerState = 'closed' | 'open' | 'half-open';

/** Thrown in place of a call while the breaker is open. */
export class BreakerOpen extends Error {
  constructor() {
    super('the circuit breaker is open');
    this.name = 'BreakerOpen';
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
  /** Errors that count as failures of the upstream; after any other the call counts as a success. */
  isFailure: (error: unknown) => boolean;
  onChange?: (state: BreakerState) => void;
}

/** Of every upstream: half of at least 20 calls in ten seconds failed, about five things; one probe after five seconds. */
export const BREAKER_RULE = { share: 0.5, leastCalls: 20, leastKeys: 5, windowMs: 10_000, openMs: 5_000 };

type Outcome<T> = { value: T } | { response: unknown };

const NAMES: Record<CircuitState, BreakerState> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
};

/** cockatiel measures the open time on the wall clock, and a stepped clock could hold it open: we measure it instead. */
const NO_WAIT: IBackoff<unknown> = { duration: Number.NEGATIVE_INFINITY, next: () => NO_WAIT };

interface Probe {
  startedAt: number;
  ended: PromiseWithResolvers<void>;
}

/**
 * Makes a circuit breaker, which stops calls to an upstream that keeps failing, with times measured on `clock`. Half-open,
 * it has one probe in flight: other calls wait for its outcome for a moment, and are rejected after that.
 */
export function createCircuitBreaker(options: BreakerOptions) {
  const { clock, isFailure, openMs, probeWaitMs = 0, onChange } = options;
  const rollingWindow = createRollingWindow(options);
  const policy = circuitBreaker(handleWhen(isFailure), { halfOpenAfter: NO_WAIT, breaker: rollingWindow });
  let openedAt = 0;
  let probe: Probe | null = null;
  policy.onStateChange((state) => {
    if (state === CircuitState.Open) openedAt = clock.monotonic();
    probe?.ended.resolve();
    probe =
      state === CircuitState.HalfOpen
        ? { startedAt: clock.monotonic(), ended: Promise.withResolvers<void>() }
        : null;
    onChange?.(NAMES[state]);
  });

  function isRejecting(): boolean {
    if (probe) return waitMs(probe) <= 0;
    return policy.state === CircuitState.Open && clock.monotonic() - openedAt < openMs;
  }

  /** Returns for how much longer calls wait for a probe, in milliseconds. */
  function waitMs({ startedAt }: Probe): number {
    return startedAt + probeWaitMs - clock.monotonic();
  }

  /** cockatiel does not count an error that it does not handle, but a response such as 404 has to count as a success. */
  async function completed<T>(key: string, call: () => Promise<T>): Promise<Outcome<T>> {
    try {
      return { value: await call() };
    } catch (error) {
      if (!isFailure(error)) return { response: error };
      rollingWindow.failedKey(key);
      throw error;
    }
  }

  return {
    /** Whether `run` would reject now. */
    isRejecting,
    state: () => NAMES[policy.state],
    /**
     * Runs one call. `key`: what it is about, such as its path. Rejects with the call's own error, or with `BreakerOpen`: at
     * once, or when the probe in flight has told.
     */
    async run<T>(key: string, call: () => Promise<T>): Promise<T> {
      if (isRejecting()) throw new BreakerOpen();
      if (probe) {
        await withTimeout(waitMs(probe), probe.ended.promise);
        if (probe || isRejecting()) throw new BreakerOpen();
      }
      const outcome = await policy.execute(() => completed(key, call));
      if ('response' in outcome) throw outcome.response;
      return outcome.value;
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

/** Counts calls and failures of the last `windowMs` on a monotonic clock (ms), which cockatiel's own sampling does not. */
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

  function tooMany(): boolean {
    const calls = buckets.reduce((sum, bucket) => sum + bucket.calls, 0);
    const failures = buckets.reduce((sum, bucket) => sum + bucket.failures, 0);
    const keys = new Set(buckets.flatMap((bucket) => [...bucket.keys]));
    return calls >= leastCalls && failures >= calls * share && keys.size >= leastKeys;
  }

  return {
    state: null,
    /** To be called before `failure`, which cockatiel calls without arguments of ours. */
    failedKey(key: string): void {
      const { keys } = current();
      if (keys.size < leastKeys) keys.add(key);
    },
    success(): void {
      current().calls++;
    },
    failure(): boolean {
      const bucket = current();
      bucket.calls++;
      bucket.failures++;
      const open = tooMany();
      if (open) buckets = [];
      return open;
    },
  } satisfies IBreaker & { failedKey(key: string): void };
}

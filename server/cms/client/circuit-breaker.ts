import { CircuitState, circuitBreaker, handleWhen, type IBackoff } from 'cockatiel';
import { createRollingWindow, type FailureRule } from './rolling-window.ts';

export type BreakerState = 'closed' | 'open' | 'half-open';

/** Thrown in place of a call that was not tried. */
export class BreakerOpen extends Error {
  constructor() {
    super('the breaker is open');
    this.name = 'BreakerOpen';
  }
}

/** Stops calls to an upstream that keeps failing. */
export interface CircuitBreaker {
  state(): BreakerState;
  /** Whether `run` would refuse now. */
  refuses(): boolean;
  /** Runs one call. Rejects with the call's own error, or at once with `BreakerOpen`. */
  run<T>(call: () => Promise<T>): Promise<T>;
}

export interface BreakerOptions extends FailureRule {
  /** How long it stays open before one probe is let through. */
  openMs: number;
  /** Monotonic, ms. */
  clock: () => number;
  /** Which errors count against the upstream; the others count as answers. */
  isFailure: (error: unknown) => boolean;
  onChange?: (state: BreakerState) => void;
}

type Outcome<T> = { value: T } | { response: unknown };

const NAMES: Record<CircuitState, BreakerState> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
};

/** cockatiel measures the open time on the wall clock, so that a stepped clock could hold it open: we measure instead. */
const NO_WAIT: IBackoff<unknown> = { duration: Number.NEGATIVE_INFINITY, next: () => NO_WAIT };

/** A breaker whose ages are measured on `clock`. While its one probe is under way, other calls are refused. */
export function createCircuitBreaker(options: BreakerOptions): CircuitBreaker {
  const { clock, isFailure, openMs, onChange } = options;
  const policy = circuitBreaker(handleWhen(isFailure), {
    halfOpenAfter: NO_WAIT,
    breaker: createRollingWindow(options, clock),
  });
  let openedAt = 0;
  policy.onStateChange((state) => {
    if (state === CircuitState.Open) openedAt = clock();
    onChange?.(NAMES[state]);
  });

  function refuses(): boolean {
    if (policy.state === CircuitState.HalfOpen) return true;
    return policy.state === CircuitState.Open && clock() - openedAt < openMs;
  }

  return {
    refuses,
    state: () => NAMES[policy.state],
    async run<T>(call: () => Promise<T>): Promise<T> {
      if (refuses()) throw new BreakerOpen();
      const outcome = await policy.execute(() => completed(call, isFailure));
      if ('response' in outcome) throw outcome.response;
      return outcome.value;
    },
  };
}

/** cockatiel leaves an error it does not handle uncounted; an answer such as 404 has to count as a call that went well. */
async function completed<T>(
  call: () => Promise<T>,
  isFailure: (error: unknown) => boolean,
): Promise<Outcome<T>> {
  try {
    return { value: await call() };
  } catch (error) {
    if (isFailure(error)) throw error;
    return { response: error };
  }
}

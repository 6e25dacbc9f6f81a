import fc from 'fast-check';
import {
  type BreakerOptions,
  type BreakerState,
  type CircuitBreaker,
  createCircuitBreaker,
} from '#server/cms/client/circuit-breaker.ts';
import { createInvariantChecker, type InvariantChecker } from '../invariant-checker.ts';
import { inVirtualTime, now, pass, settle } from '../simulated-clock.ts';
import { type Timed, takeTurns, timed } from '../timed.ts';

/** Invariants of the circuit breaker. */
export type BreakerInvariant =
  | 'at most one probe while half-open'
  | 'no call while open'
  | 'a closed breaker rejects no call'
  | 'it opens when too many calls fail'
  | 'a successful probe closes it'
  | 'error responses that say nothing of its health do not open it';

/** `response`: an error, such as a 404, that says nothing of the upstream's health. */
type Outcome = 'success' | 'failure' | 'response';

export type BreakerStep =
  | { do: 'call' }
  /** `call`: index into the calls in flight, modulo their count. */
  | { do: 'end'; call: number; outcome: Outcome }
  /** That many calls in sequence. */
  | { do: 'calls'; times: number; outcome: Outcome }
  | { do: 'pass'; ms: number };

export type MakeBreaker = (options: BreakerOptions) => CircuitBreaker;

const OPEN_MS = 5_000;
const RULE = { share: 0.5, leastCalls: 4, windowMs: 10_000, openMs: OPEN_MS };

const outcome = fc.constantFrom<Outcome>('success', 'failure', 'failure', 'response');

/** Generates scenarios of a circuit breaker. */
export const breakerScenarios: fc.Arbitrary<Timed<BreakerStep>[]> = fc.array(
  timed(
    fc.oneof<fc.Arbitrary<BreakerStep>[]>(
      fc.record({ do: fc.constant('call') }),
      fc.record({ do: fc.constant('end'), call: fc.nat(7), outcome }),
      fc.record({ do: fc.constant('calls'), times: fc.integer({ min: 1, max: 6 }), outcome }),
      fc.record({ do: fc.constant('pass'), ms: fc.constantFrom(1, 900, 4_999, 5_000, 20_000) }),
    ),
  ),
  { maxLength: 40, size: 'max' },
);

interface Call {
  startedAsProbe: boolean;
  /** Probe of the current half-open period. */
  isProbe: boolean;
  end(outcome: Outcome): void;
}

/** Runs one scenario of a circuit breaker. `only`: checks that invariant alone. Throws the first `Violation`. */
export function runBreakerScenario(
  scenario: readonly Timed<BreakerStep>[],
  make: MakeBreaker = createCircuitBreaker,
  only?: BreakerInvariant,
): Promise<void> {
  return inVirtualTime(async () => {
    const { check, throwFirst } = createInvariantChecker(only);
    const take = createBreakerModel(make, check);
    for (const step of scenario) {
      await take(step);
      await takeTurns(step.turns);
      throwFirst();
    }
  });
}

function createBreakerModel(make: MakeBreaker, check: InvariantChecker<BreakerInvariant>) {
  const record = createRecord();
  let state: BreakerState = 'closed';
  let openedAt = 0;
  let calls: Call[] = [];
  const breaker = make({ ...RULE, clock: now, isFailure: (error) => error instanceof RangeError, onChange });

  function onChange(next: BreakerState): void {
    check(
      'error responses that say nothing of its health do not open it',
      next !== 'open' || record.hasFailed(),
      () => 'no call has failed',
    );
    check(
      'no call while open',
      next !== 'half-open' || now() - openedAt >= OPEN_MS,
      () => `half-open after ${now() - openedAt} ms`,
    );
    state = next;
    if (state === 'open') {
      openedAt = now();
      record.opened();
    }
    // A probe still in flight from an earlier half-open period is not one of the next.
    for (const call of calls) call.isProbe = false;
  }

  function startCall(): void {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const wasClosed = state === 'closed';
    let isStarted = false;
    const running = breaker.run(() => {
      isStarted = true;
      admit((outcome) => {
        if (outcome === 'success') resolve();
        else reject(outcome === 'failure' ? new RangeError('down') : new Error('404'));
      });
      return promise;
    });
    running.catch(() => undefined);
    check('a closed breaker rejects no call', isStarted || !wasClosed, () => `state ${breaker.state()}`);
  }

  function admit(end: Call['end']): void {
    const isProbe = state === 'half-open';
    const probes = calls.filter((call) => call.isProbe).length;
    check('at most one probe while half-open', !isProbe || probes === 0, () => `${probes} before`);
    check('no call while open', state !== 'open', () => `for ${now() - openedAt} ms`);
    calls.push({ startedAsProbe: isProbe, isProbe, end });
  }

  async function end(call: Call, outcome: Outcome): Promise<void> {
    const { isProbe, startedAsProbe } = call;
    calls = calls.filter((other) => other !== call);
    // The breaker may ignore what ends while it is open.
    record.add(outcome === 'failure' && !startedAsProbe && state === 'closed');
    const mustOpen = outcome === 'failure' && state === 'closed' && record.exceedsThreshold();
    if (outcome === 'failure') record.fail();
    call.end(outcome);
    await settle();
    check('it opens when too many calls fail', !mustOpen || state !== 'closed', () => `it is ${state}`);
    const closes = isProbe && outcome !== 'failure';
    check('a successful probe closes it', !closes || state === 'closed', () => `it is ${state}`);
  }

  return async function take(step: BreakerStep): Promise<void> {
    if (step.do === 'call') startCall();
    else if (step.do === 'pass') await pass(step.ms);
    else if (step.do === 'end') {
      const call = calls[step.call % calls.length];
      if (call) await end(call, step.outcome);
    } else {
      for (let time = 0; time < step.times; time++) {
        startCall();
        const call = calls.at(-1);
        if (call) await end(call, step.outcome);
      }
    }
  };
}

/** Records what a breaker with this rule must count at least. */
function createRecord() {
  let ended: { at: number; failed: boolean; sinceOpened: boolean }[] = [];
  let failed = false;

  return {
    add: (failure: boolean): void => void ended.push({ at: now(), failed: failure, sinceOpened: true }),
    fail(): void {
      failed = true;
    },
    hasFailed: () => failed,
    /** The breaker forgets failures from before it opened. */
    opened(): void {
      ended = ended.map((call) => ({ ...call, sinceOpened: false }));
    },
    /** The breaker counts in ten buckets, so it may forget a tenth of the window early. */
    exceedsThreshold(): boolean {
      const within = (part: number) => ended.filter(({ at }) => now() - at < RULE.windowMs * part);
      const failures = within(0.9).filter((call) => call.failed && call.sinceOpened).length;
      return failures >= RULE.leastCalls && failures >= within(1).length * RULE.share;
    },
  };
}

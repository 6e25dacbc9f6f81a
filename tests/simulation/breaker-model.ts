import fc from 'fast-check';
import {
  type BreakerOptions,
  type BreakerState,
  type CircuitBreaker,
  createCircuitBreaker,
} from '#server/cms/client/circuit-breaker.ts';
import { createInvariantChecker, type InvariantChecker } from './invariant-checker.ts';
import { inVirtualTime, now, pass, settle } from './simulated-clock.ts';
import { type Timed, takeTurns, timed } from './timed.ts';

/** What holds of the breaker, whatever the upstream does. */
export type BreakerInvariant =
  | 'at most one probe while it is half open'
  | 'no call while it is open'
  | 'a closed breaker refuses nobody'
  | 'it opens when too many calls fail'
  | 'a probe that goes well closes it'
  | 'answers do not open it';

/** `response`: an error that says nothing about the upstream's health. */
type Outcome = 'success' | 'failure' | 'response';

export type BreakerStep =
  | { do: 'call' }
  /** `call`: which of those under way, counted around. */
  | { do: 'end'; call: number; outcome: Outcome }
  /** That many calls, each over before the next. */
  | { do: 'calls'; times: number; outcome: Outcome }
  | { do: 'pass'; ms: number };

export type MakeBreaker = (options: BreakerOptions) => CircuitBreaker;

const OPEN_MS = 5_000;
const RULE = { share: 0.5, leastCalls: 4, windowMs: 10_000, openMs: OPEN_MS };

const outcome = fc.constantFrom<Outcome>('success', 'failure', 'failure', 'response');

/** Stories of a breaker. */
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
  beganAsProbe: boolean;
  /** Of the half-open time that lasts. */
  isProbe: boolean;
  end(outcome: Outcome): void;
}

/** Lives through one story of a breaker. `only`: looks at that invariant alone. Throws the first `Violation`. */
export function liveThroughBreaker(
  scenario: readonly Timed<BreakerStep>[],
  make: MakeBreaker = createCircuitBreaker,
  only?: BreakerInvariant,
): Promise<void> {
  return inVirtualTime(async () => {
    const { checker, pronounce } = createInvariantChecker(only);
    const take = createBreakerModel(make, checker);
    for (const step of scenario) {
      await take(step);
      await takeTurns(step.turns);
      pronounce();
    }
  });
}

function createBreakerModel(make: MakeBreaker, checker: InvariantChecker<BreakerInvariant>) {
  const record = createRecord();
  let state: BreakerState = 'closed';
  let openedAt = 0;
  let calls: Call[] = [];
  const breaker = make({ ...RULE, clock: now, isFailure: (error) => error instanceof RangeError, onChange });

  function onChange(next: BreakerState): void {
    checker('answers do not open it', next !== 'open' || record.hasFailed(), () => 'no call has failed');
    checker(
      'no call while it is open',
      next !== 'half-open' || now() - openedAt >= OPEN_MS,
      () => `half open after ${now() - openedAt} ms`,
    );
    state = next;
    if (state === 'open') {
      openedAt = now();
      record.opened();
    }
    // What another half-open time left under way is no probe of the next.
    for (const call of calls) call.isProbe = false;
  }

  function begin(): void {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const wasClosed = state === 'closed';
    let began = false;
    const running = breaker.run(() => {
      began = true;
      admit((outcome) => {
        if (outcome === 'success') resolve();
        else reject(outcome === 'failure' ? new RangeError('down') : new Error('an answer'));
      });
      return promise;
    });
    running.catch(() => undefined);
    checker('a closed breaker refuses nobody', began || !wasClosed, () => `state ${breaker.state()}`);
  }

  function admit(end: Call['end']): void {
    const isProbe = state === 'half-open';
    const probes = calls.filter((call) => call.isProbe).length;
    checker('at most one probe while it is half open', !isProbe || probes === 0, () => `${probes} before`);
    checker('no call while it is open', state !== 'open', () => `for ${now() - openedAt} ms`);
    calls.push({ beganAsProbe: isProbe, isProbe, end });
  }

  async function end(call: Call, outcome: Outcome): Promise<void> {
    const { isProbe, beganAsProbe } = call;
    calls = calls.filter((other) => other !== call);
    // What comes late, while it is open, it may forget.
    record.add(outcome === 'failure' && !beganAsProbe && state === 'closed');
    const hasToOpen = outcome === 'failure' && state === 'closed' && record.isTooMuch();
    if (outcome === 'failure') record.fail();
    call.end(outcome);
    await settle();
    checker('it opens when too many calls fail', !hasToOpen || state !== 'closed', () => `it is ${state}`);
    const closes = isProbe && outcome !== 'failure';
    checker('a probe that goes well closes it', !closes || state === 'closed', () => `it is ${state}`);
  }

  return async function take(step: BreakerStep): Promise<void> {
    if (step.do === 'call') begin();
    else if (step.do === 'pass') await pass(step.ms);
    else if (step.do === 'end') {
      const call = calls[step.call % calls.length];
      if (call) await end(call, step.outcome);
    } else {
      for (let time = 0; time < step.times; time++) {
        begin();
        const call = calls.at(-1);
        if (call) await end(call, step.outcome);
      }
    }
  };
}

/** What a breaker with this rule has to know at least, and must not count at most. */
function createRecord() {
  let ended: { at: number; failed: boolean; sinceOpened: boolean }[] = [];
  let failed = false;

  return {
    add: (failure: boolean): void => void ended.push({ at: now(), failed: failure, sinceOpened: true }),
    fail(): void {
      failed = true;
    },
    hasFailed: () => failed,
    /** It starts anew: what failed before is forgotten. */
    opened(): void {
      ended = ended.map((call) => ({ ...call, sinceOpened: false }));
    },
    /** A tenth of the window may be forgotten early: it is counted in ten pieces. */
    isTooMuch(): boolean {
      const within = (part: number) => ended.filter(({ at }) => now() - at < RULE.windowMs * part);
      const failures = within(0.9).filter((call) => call.failed && call.sinceOpened).length;
      return failures >= RULE.leastCalls && failures >= within(1).length * RULE.share;
    },
  };
}

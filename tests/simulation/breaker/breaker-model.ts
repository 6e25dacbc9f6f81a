import fc from 'fast-check';
import { type BreakerState, createCircuitBreaker } from '#server/cms/client/circuit-breaker.ts';
import { createInvariantChecker, type InvariantChecker } from '../invariant-checker.ts';
import { inVirtualTime, now, pass, settle, VIRTUAL_CLOCK } from '../simulated-clock.ts';
import { type Timed, takeTurns, timed } from '../timed.ts';

/** Invariants of the circuit breaker. */
export type BreakerInvariant =
  | 'at most one probe while half-open'
  | 'no call while open'
  | 'a closed breaker rejects no call'
  | 'it opens when too many calls fail'
  | 'a successful probe closes it'
  | 'failures of few things do not open it'
  | 'error responses that say nothing of its health do not open it';

/** `response`: an error, such as a 404, that says nothing of the upstream's health. */
type Outcome = 'success' | 'failure' | 'response';

export type BreakerStep =
  | { do: 'call'; key: Key }
  /** `call`: index into the calls in flight, modulo their count. */
  | { do: 'end'; call: number; outcome: Outcome }
  /** That many calls in sequence. */
  | { do: 'calls'; key: Key; times: number; outcome: Outcome }
  | { do: 'pass'; ms: number };

export type MakeBreaker = typeof createCircuitBreaker;

const OPEN_MS = 5_000;
const RULE = { share: 0.5, leastCalls: 4, leastKeys: 2, windowMs: 10_000, openMs: OPEN_MS };
const KEYS = ['a', 'b', 'c'] as const;
type Key = (typeof KEYS)[number];

const outcome = fc.constantFrom<Outcome>('success', 'failure', 'failure', 'response');

const key = fc.constantFrom(...KEYS);

/** Generates scenarios of a circuit breaker. */
export const breakerScenarios: fc.Arbitrary<Timed<BreakerStep>[]> = fc.array(
  timed(
    fc.oneof<fc.Arbitrary<BreakerStep>[]>(
      fc.record({ do: fc.constant('call'), key }),
      fc.record({ do: fc.constant('end'), call: fc.nat(7), outcome }),
      fc.record({ do: fc.constant('calls'), key, times: fc.integer({ min: 1, max: 6 }), outcome }),
      fc.record({ do: fc.constant('pass'), ms: fc.constantFrom(1, 900, 4_999, 5_000, 20_000) }),
    ),
  ),
  { maxLength: 40, size: 'max' },
);

interface Call {
  key: Key;
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
  const breaker = make({
    ...RULE,
    clock: VIRTUAL_CLOCK,
    isFailure: (error) => error instanceof RangeError,
    onChange,
  });

  function onChange(next: BreakerState): void {
    check(
      'error responses that say nothing of its health do not open it',
      next !== 'open' || record.hasFailed(),
      () => 'no call has failed',
    );
    check(
      'failures of few things do not open it',
      next !== 'open' || state === 'half-open' || record.failedKeys() >= RULE.leastKeys,
      () => `${record.failedKeys()} have failed`,
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

  function startCall(key: Key): void {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const wasClosed = state === 'closed';
    let isStarted = false;
    const running = breaker.run(key, () => {
      isStarted = true;
      admit(key, (outcome) => {
        if (outcome === 'success') resolve();
        else reject(outcome === 'failure' ? new RangeError('down') : new Error('404'));
      });
      return promise;
    });
    running.catch(() => undefined);
    check('a closed breaker rejects no call', isStarted || !wasClosed, () => `state ${breaker.state()}`);
  }

  function admit(key: Key, end: Call['end']): void {
    const isProbe = state === 'half-open';
    const probes = calls.filter((call) => call.isProbe).length;
    check('at most one probe while half-open', !isProbe || probes === 0, () => `${probes} before`);
    check('no call while open', state !== 'open', () => `for ${now() - openedAt} ms`);
    calls.push({ key, startedAsProbe: isProbe, isProbe, end });
  }

  async function end(call: Call, outcome: Outcome): Promise<void> {
    const { isProbe, startedAsProbe } = call;
    calls = calls.filter((other) => other !== call);
    // The breaker may ignore what ends while it is open.
    record.add(call.key, outcome === 'failure' && !startedAsProbe && state === 'closed');
    const mustOpen = outcome === 'failure' && state === 'closed' && record.exceedsThreshold();
    if (outcome === 'failure') record.fail(call.key);
    call.end(outcome);
    await settle();
    check('it opens when too many calls fail', !mustOpen || state !== 'closed', () => `it is ${state}`);
    const closes = isProbe && outcome !== 'failure';
    check('a successful probe closes it', !closes || state === 'closed', () => `it is ${state}`);
  }

  return async function take(step: BreakerStep): Promise<void> {
    if (step.do === 'call') startCall(step.key);
    else if (step.do === 'pass') await pass(step.ms);
    else if (step.do === 'end') {
      const call = calls[step.call % calls.length];
      if (call) await end(call, step.outcome);
    } else {
      for (let time = 0; time < step.times; time++) {
        startCall(step.key);
        const call = calls.at(-1);
        if (call) await end(call, step.outcome);
      }
    }
  };
}

/** Records what a breaker with this rule must count at least. */
function createRecord() {
  let ended: { key: Key; at: number; failed: boolean; sinceOpened: boolean }[] = [];
  const failed = new Set<Key>();

  return {
    add: (key: Key, failure: boolean): void =>
      void ended.push({ key, at: now(), failed: failure, sinceOpened: true }),
    fail: (key: Key): void => void failed.add(key),
    hasFailed: () => failed.size > 0,
    failedKeys: () => failed.size,
    /** The breaker forgets failures from before it opened. */
    opened(): void {
      ended = ended.map((call) => ({ ...call, sinceOpened: false }));
    },
    /** The breaker counts in ten buckets, so it may forget a tenth of the window early. */
    exceedsThreshold(): boolean {
      const within = (part: number) => ended.filter(({ at }) => now() - at < RULE.windowMs * part);
      const failures = within(0.9).filter((call) => call.failed && call.sinceOpened);
      const keys = new Set(failures.map(({ key }) => key));
      return (
        failures.length >= RULE.leastCalls &&
        failures.length >= within(1).length * RULE.share &&
        keys.size >= RULE.leastKeys
      );
    },
  };
}

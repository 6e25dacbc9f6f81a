import { BreakerOpen, createCircuitBreaker } from '#server/cms/client/circuit-breaker.ts';
import type { BreakerInvariant, MakeBreaker } from './breaker-model.ts';

/** A circuit breaker with one deliberate bug, and the invariant that must catch it. */
export interface BreakerMutant {
  name: string;
  caughtBy: BreakerInvariant;
  make: MakeBreaker;
}

const NEVER = new Promise<never>(() => undefined);

export const BREAKER_MUTANTS: readonly BreakerMutant[] = [
  {
    name: 'half-open for every call',
    caughtBy: 'at most one probe while half-open',
    make(options) {
      const breaker = createCircuitBreaker(options);
      return {
        ...breaker,
        run: (key, call) => (breaker.state() === 'half-open' ? call() : breaker.run(key, call)),
      };
    },
  },
  {
    name: 'calls pass while open',
    caughtBy: 'no call while open',
    make(options) {
      const breaker = createCircuitBreaker(options);
      return {
        ...breaker,
        run: (key, call) => (breaker.state() === 'open' ? call() : breaker.run(key, call)),
      };
    },
  },
  {
    name: 'the open period is too short',
    caughtBy: 'no call while open',
    make: (options) => createCircuitBreaker({ ...options, openMs: options.openMs / 10 }),
  },
  {
    name: 'rejects after one failure',
    caughtBy: 'a closed breaker rejects no call',
    make(options) {
      const breaker = createCircuitBreaker(options);
      let hasFailed = false;
      return {
        ...breaker,
        async run(key, call) {
          if (hasFailed) throw new BreakerOpen();
          return breaker.run(key, call).catch((error: unknown) => {
            hasFailed = true;
            throw error;
          });
        },
      };
    },
  },
  {
    name: 'never opens',
    caughtBy: 'it opens when too many calls fail',
    make: (options) => createCircuitBreaker({ ...options, isFailure: () => false }),
  },
  {
    name: 'opens whatever the failures are about',
    caughtBy: 'failures of few things do not open it',
    make: (options) => createCircuitBreaker({ ...options, leastKeys: 1 }),
  },
  {
    name: 'the outcome of a probe is lost',
    caughtBy: 'a successful probe closes it',
    make(options) {
      const breaker = createCircuitBreaker(options);
      return {
        ...breaker,
        run: (key, call) =>
          breaker.run(
            key,
            breaker.state() === 'open'
              ? () =>
                  call()
                    .catch(() => NEVER)
                    .then(() => NEVER)
              : call,
          ),
      };
    },
  },
  {
    name: 'error responses count as failures',
    caughtBy: 'error responses that say nothing of its health do not open it',
    make: (options) => createCircuitBreaker({ ...options, isFailure: () => true }),
  },
];

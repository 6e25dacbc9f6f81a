import { BreakerOpen, createCircuitBreaker } from '#server/cms/client/circuit-breaker.ts';
import type { BreakerInvariant, MakeBreaker } from './breaker-model.ts';

/** A breaker that is wrong in one way, and the invariant that must catch it. */
export interface BreakerMutant {
  name: string;
  caughtBy: BreakerInvariant;
  make: MakeBreaker;
}

const NEVER = new Promise<never>(() => undefined);

/** Breakers that are wrong. */
export const BREAKER_MUTANTS: readonly BreakerMutant[] = [
  {
    name: 'a breaker that is half open for everybody',
    caughtBy: 'at most one probe while it is half open',
    make(options) {
      const breaker = createCircuitBreaker(options);
      return { ...breaker, run: (call) => (breaker.state() === 'half-open' ? call() : breaker.run(call)) };
    },
  },
  {
    name: 'a breaker that lets calls through while it is open',
    caughtBy: 'no call while it is open',
    make(options) {
      const breaker = createCircuitBreaker(options);
      return { ...breaker, run: (call) => (breaker.state() === 'open' ? call() : breaker.run(call)) };
    },
  },
  {
    name: 'a breaker that tries again too soon',
    caughtBy: 'no call while it is open',
    make: (options) => createCircuitBreaker({ ...options, openMs: options.openMs / 10 }),
  },
  {
    name: 'a breaker that refuses after one failure',
    caughtBy: 'a closed breaker refuses nobody',
    make(options) {
      const breaker = createCircuitBreaker(options);
      let hasFailed = false;
      return {
        ...breaker,
        async run(call) {
          if (hasFailed) throw new BreakerOpen();
          return breaker.run(call).catch((error: unknown) => {
            hasFailed = true;
            throw error;
          });
        },
      };
    },
  },
  {
    name: 'a breaker that never opens',
    caughtBy: 'it opens when too many calls fail',
    make: (options) => createCircuitBreaker({ ...options, isFailure: () => false }),
  },
  {
    name: 'a breaker that does not hear how its probe went',
    caughtBy: 'a probe that goes well closes it',
    make(options) {
      const breaker = createCircuitBreaker(options);
      return {
        ...breaker,
        run: (call) =>
          breaker.run(
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
    name: 'a breaker that takes answers for failures',
    caughtBy: 'answers do not open it',
    make: (options) => createCircuitBreaker({ ...options, isFailure: () => true }),
  },
];

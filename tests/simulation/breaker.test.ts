import { describe, it } from 'vitest';
import { breakerScenarios, liveThroughBreaker } from './breaker-model.ts';
import { BREAKER_MUTANTS } from './breaker-mutants.ts';
import { holdsInScenarios, isCaught, LONG_MS } from './runs.ts';

describe('the breaker, whatever the upstream does', () => {
  it(
    'holds every invariant after each step',
    () => holdsInScenarios(300, breakerScenarios, (scenario) => liveThroughBreaker(scenario)),
    LONG_MS,
  );
});

describe('the invariants of the breaker', () => {
  it.each(BREAKER_MUTANTS)(
    'catch $name',
    ({ caughtBy, make }) =>
      isCaught(caughtBy, breakerScenarios, (scenario) => liveThroughBreaker(scenario, make, caughtBy)),
    LONG_MS,
  );
});

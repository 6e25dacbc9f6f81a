import { describe, it } from 'vitest';
import { holdsInScenarios, isCaught, LONG_MS } from '../runs.ts';
import { breakerScenarios, runBreakerScenario } from './breaker-model.ts';
import { BREAKER_MUTANTS } from './breaker-mutants.ts';

describe('the circuit breaker in any scenario', () => {
  it(
    'holds every invariant after each step',
    () => holdsInScenarios(300, breakerScenarios, (scenario) => runBreakerScenario(scenario)),
    LONG_MS,
  );
});

describe('the invariants of the circuit breaker', () => {
  it.each(BREAKER_MUTANTS)(
    'catch the mutant: $name',
    ({ caughtBy, make }) =>
      isCaught(caughtBy, breakerScenarios, (scenario) => runBreakerScenario(scenario, make, caughtBy)),
    LONG_MS,
  );
});

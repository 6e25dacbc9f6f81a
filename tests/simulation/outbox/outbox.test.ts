import { describe, it } from 'vitest';
import { holdsInScenarios, isCaught, LONG_MS } from '../runs.ts';
import { runOutboxScenario } from './outbox-model.ts';
import { OUTBOX_MUTANTS } from './outbox-mutants.ts';
import { outboxScenarios } from './outbox-scenarios.ts';

describe('the outbox in any scenario', () => {
  it(
    'holds every invariant after each step',
    () => holdsInScenarios(40, outboxScenarios, (scenario) => runOutboxScenario(scenario)),
    LONG_MS,
  );
});

describe('the invariants of the outbox', () => {
  it.each(OUTBOX_MUTANTS)(
    'catch the mutant: $name',
    ({ caughtBy, open }) =>
      isCaught(caughtBy, outboxScenarios, (scenario) => runOutboxScenario(scenario, open, caughtBy)),
    LONG_MS,
  );
});

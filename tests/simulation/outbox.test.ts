import { describe, it } from 'vitest';
import { liveThroughOutbox } from './outbox-model.ts';
import { OUTBOX_MUTANTS } from './outbox-mutants.ts';
import { outboxScenarios } from './outbox-scenarios.ts';
import { holdsInScenarios, isCaught, LONG_MS } from './runs.ts';

describe('the outbox, whatever its readers, the upstream and the process do', () => {
  it(
    'holds every invariant after each step',
    () => holdsInScenarios(40, outboxScenarios, (scenario) => liveThroughOutbox(scenario)),
    LONG_MS,
  );
});

describe('the invariants of the outbox', () => {
  it.each(OUTBOX_MUTANTS)(
    'catch $name',
    ({ caughtBy, open }) =>
      isCaught(caughtBy, outboxScenarios, (scenario) => liveThroughOutbox(scenario, open, caughtBy)),
    LONG_MS,
  );
});

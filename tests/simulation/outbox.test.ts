import { describe, it } from 'vitest';
import { liveThroughOutbox } from './outbox-model.ts';
import { OUTBOX_MUTANTS } from './outbox-mutants.ts';
import { outboxStories } from './outbox-scenarios.ts';
import { holdsInWorlds, isCaught, LONG_MS } from './runs.ts';

describe('the outbox, whatever its readers, the upstream and the process do', () => {
  it(
    'holds every invariant after each step',
    () => holdsInWorlds(40, outboxStories, (story) => liveThroughOutbox(story)),
    LONG_MS,
  );
});

describe('the invariants of the outbox', () => {
  it.each(OUTBOX_MUTANTS)(
    'catch $name',
    ({ caughtBy, open }) =>
      isCaught(caughtBy, outboxStories, (story) => liveThroughOutbox(story, open, caughtBy)),
    LONG_MS,
  );
});

import { describe, it } from 'vitest';
import { breakerStories, liveThroughBreaker } from './breaker-model.ts';
import { BREAKER_MUTANTS } from './breaker-mutants.ts';
import { holdsInWorlds, isCaught, LONG_MS } from './runs.ts';

describe('the breaker, whatever the upstream does', () => {
  it(
    'holds every invariant after each step',
    () => holdsInWorlds(300, breakerStories, (story) => liveThroughBreaker(story)),
    LONG_MS,
  );
});

describe('the invariants of the breaker', () => {
  it.each(BREAKER_MUTANTS)(
    'catch $name',
    ({ caughtBy, make }) =>
      isCaught(caughtBy, breakerStories, (story) => liveThroughBreaker(story, make, caughtBy)),
    LONG_MS,
  );
});

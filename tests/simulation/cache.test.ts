import { describe, it } from 'vitest';
import { liveThrough, REAL_PARTS } from './cache-model.ts';
import { CACHE_MUTANTS } from './cache-mutants.ts';
import { cacheScenarios } from './cache-scenarios.ts';
import { PAGE_MUTANTS } from './page-mutants.ts';
import { holdsInScenarios, isCaught, LONG_MS } from './runs.ts';

describe('the caches, whatever their readers, the upstream and operators do', () => {
  it(
    'hold every invariant after each step',
    () => holdsInScenarios(300, cacheScenarios, (scenario) => liveThrough(scenario, REAL_PARTS)),
    LONG_MS,
  );
});

describe('the invariants of the caches', () => {
  it.each([...CACHE_MUTANTS, ...PAGE_MUTANTS])(
    'catch $name',
    ({ caughtBy, parts }) =>
      isCaught(caughtBy, cacheScenarios, (scenario) => liveThrough(scenario, parts, caughtBy)),
    LONG_MS,
  );
});

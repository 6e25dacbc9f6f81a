import { describe, it } from 'vitest';
import { holdsInScenarios, isCaught, LONG_MS } from '../runs.ts';
import { REAL_PARTS, runCacheScenario } from './cache-model.ts';
import { CACHE_MUTANTS } from './cache-mutants.ts';
import { cacheScenarios } from './cache-scenarios.ts';
import { PAGE_MUTANTS } from './page-mutants.ts';

describe('the caches in any scenario', () => {
  it(
    'hold every invariant after each step',
    () => holdsInScenarios(300, cacheScenarios, (scenario) => runCacheScenario(scenario, REAL_PARTS)),
    LONG_MS,
  );
});

describe('the invariants of the caches', () => {
  it.each([...CACHE_MUTANTS, ...PAGE_MUTANTS])(
    'catch the mutant: $name',
    ({ caughtBy, parts }) =>
      isCaught(caughtBy, cacheScenarios, (scenario) => runCacheScenario(scenario, parts, caughtBy)),
    LONG_MS,
  );
});

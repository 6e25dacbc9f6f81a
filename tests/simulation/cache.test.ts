import { describe, it } from 'vitest';
import { liveThrough, REAL_PARTS } from './cache-model.ts';
import { CACHE_MUTANTS } from './cache-mutants.ts';
import { cacheStories } from './cache-scenarios.ts';
import { PAGE_MUTANTS } from './page-mutants.ts';
import { holdsInWorlds, isCaught, LONG_MS } from './runs.ts';

describe('the caches, whatever their readers, the upstream and operators do', () => {
  it(
    'hold every invariant after each step',
    () => holdsInWorlds(300, cacheStories, (story) => liveThrough(story, REAL_PARTS)),
    LONG_MS,
  );
});

describe('the invariants of the caches', () => {
  it.each([...CACHE_MUTANTS, ...PAGE_MUTANTS])(
    'catch $name',
    ({ caughtBy, parts }) => isCaught(caughtBy, cacheStories, (story) => liveThrough(story, parts, caughtBy)),
    LONG_MS,
  );
});

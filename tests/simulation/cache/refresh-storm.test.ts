import { describe, it } from 'vitest';
import { createContentCache } from '#server/cache/content-cache.ts';
import { holdsInScenarios, isCaught, LONG_MS } from '../runs.ts';
import { type MakeStormCache, runStormScenario, stormScenarios } from './refresh-storm.ts';

/** A mutant with one cache for each key, so that no queue is shared. */
const withoutQueue: MakeStormCache = (options) => {
  const caches = new Map<string, ReturnType<typeof createContentCache>>();
  return {
    read(query, tracker) {
      const own = caches.get(query.key) ?? createContentCache(options);
      caches.set(query.key, own);
      return own.read(query, tracker);
    },
    close: async () => undefined,
  };
};

/** A mutant that drops queued refreshes. */
const droppingQueued: MakeStormCache = (options) => {
  const cache = createContentCache(options);
  return {
    ...cache,
    read(query, tracker) {
      if (cache.waitingRefreshes() > 0) cache.close();
      return cache.read(query, tracker);
    },
  };
};

describe('an upstream that is back while many entries are stale', () => {
  it(
    'gets at most 64 refreshes at the same time, and all in the end',
    () => holdsInScenarios(25, stormScenarios, (scenario) => runStormScenario(scenario)),
    LONG_MS,
  );

  it(
    'is overloaded by the mutant without a shared queue',
    () =>
      isCaught('at most 64 refreshes at the same time', stormScenarios, (scenario) =>
        runStormScenario(scenario, withoutQueue, 'at most 64 refreshes at the same time'),
      ),
    LONG_MS,
  );

  it(
    'does not get all refreshes from the mutant that drops queued ones',
    () =>
      isCaught('every stale key that was read is refreshed in the end', stormScenarios, (scenario) =>
        runStormScenario(scenario, droppingQueued, 'every stale key that was read is refreshed in the end'),
      ),
    LONG_MS,
  );
});

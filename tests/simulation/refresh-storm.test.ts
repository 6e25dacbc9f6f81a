import { describe, it } from 'vitest';
import { createContentCache } from '#server/cache/content-cache.ts';
import { liveThroughStorm, type MakeStormCache, stormScenarios } from './refresh-storm.ts';
import { holdsInScenarios, isCaught, LONG_MS } from './runs.ts';

/** The real cache of each key: nothing of it is shared, and so is no queue. */
const withoutQueue: MakeStormCache = (options) => {
  const caches = new Map<string, ReturnType<typeof createContentCache>>();
  return {
    read(request, tracker) {
      const own = caches.get(request.key) ?? createContentCache(options);
      caches.set(request.key, own);
      return own.read(request, tracker);
    },
    close: async () => undefined,
  };
};

/** One whose queue is closed as soon as anything waits in it. */
const withoutStaleWait: MakeStormCache = (options) => {
  const cache = createContentCache(options);
  return {
    ...cache,
    read(request, tracker) {
      if (cache.refreshes().waiting > 0) void cache.close();
      return cache.read(request, tracker);
    },
  };
};

describe('an upstream that is back while many keys are stale', () => {
  it(
    'is asked for at most 64 of them at once, and for all in the end',
    () => holdsInScenarios(25, stormScenarios, (scenario) => liveThroughStorm(scenario)),
    LONG_MS,
  );

  it(
    'is seen to be run over by a cache without a queue',
    () =>
      isCaught('never more than 64 refreshes at once', stormScenarios, (scenario) =>
        liveThroughStorm(scenario, withoutQueue, 'never more than 64 refreshes at once'),
      ),
    LONG_MS,
  );

  it(
    'is seen not to be asked by a cache that drops what waits',
    () =>
      isCaught('every stale key that was asked for is refreshed in the end', stormScenarios, (scenario) =>
        liveThroughStorm(
          scenario,
          withoutStaleWait,
          'every stale key that was asked for is refreshed in the end',
        ),
      ),
    LONG_MS,
  );
});

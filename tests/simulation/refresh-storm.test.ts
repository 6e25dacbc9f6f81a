import { describe, it } from 'vitest';
import { createContentCache } from '#server/cache/content-cache.ts';
import { liveThroughStorm, type MakeStormCache, stormStories } from './refresh-storm.ts';
import { holdsInWorlds, isCaught, LONG_MS } from './runs.ts';

/** The real cache of each key: nothing of it is shared, and so is no queue. */
const withoutQueue: MakeStormCache = (options) => {
  const caches = new Map<string, ReturnType<typeof createContentCache>>();
  return {
    read(request, reading) {
      const own = caches.get(request.key) ?? createContentCache(options);
      caches.set(request.key, own);
      return own.read(request, reading);
    },
    close: async () => undefined,
  };
};

/** One whose queue is closed as soon as anything waits in it. */
const withoutPatience: MakeStormCache = (options) => {
  const cache = createContentCache(options);
  return {
    ...cache,
    read(request, reading) {
      if (cache.refreshes().waiting > 0) void cache.close();
      return cache.read(request, reading);
    },
  };
};

describe('an upstream that is back while many keys are stale', () => {
  it(
    'is asked for at most 64 of them at once, and for all in the end',
    () => holdsInWorlds(25, stormStories, (story) => liveThroughStorm(story)),
    LONG_MS,
  );

  it(
    'is seen to be run over by a cache without a queue',
    () =>
      isCaught('never more than 64 refreshes at once', stormStories, (story) =>
        liveThroughStorm(story, withoutQueue, 'never more than 64 refreshes at once'),
      ),
    LONG_MS,
  );

  it(
    'is seen not to be asked by a cache that drops what waits',
    () =>
      isCaught('every stale key that was asked for is refreshed in the end', stormStories, (story) =>
        liveThroughStorm(
          story,
          withoutPatience,
          'every stale key that was asked for is refreshed in the end',
        ),
      ),
    LONG_MS,
  );
});

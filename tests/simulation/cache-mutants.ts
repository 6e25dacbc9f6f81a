import { Absent } from '#server/cache/cache-query.ts';
import { byResource } from '#server/cache/resources.ts';
import { type CacheMutant, smuggle, withContent, withLoads, withOptions } from './mutant-parts.ts';

/** Content caches that are wrong. */
export const CACHE_MUTANTS: readonly CacheMutant[] = [
  {
    name: 'a cache whose flights are not shared',
    caughtBy: 'one load a key is under way',
    parts: withContent((cache) => {
      let reads = 0;
      return {
        read: (request, tracker) => cache.read({ ...request, key: `${request.key} ${++reads}` }, tracker),
      };
    }),
  },
  {
    name: 'a cache that forgets the bound of its ages',
    caughtBy: 'nothing is served past its ages',
    parts: withOptions(({ policies }) => ({
      policies: byResource((resource) => ({ ...policies[resource], sie: Number.POSITIVE_INFINITY })),
    })),
  },
  {
    name: 'a cache whose clock runs backwards',
    caughtBy: 'nothing is served past its ages',
    parts: withOptions(({ clock }) => ({ clock: () => -clock() })),
  },
  {
    name: 'a cache that takes up a snapshot as if it were new',
    caughtBy: 'nothing is served past its ages',
    parts: withContent((cache) => ({
      restore: (saved) => cache.restore(saved, 0),
    })),
  },
  {
    name: 'a cache that believes a no for good',
    caughtBy: 'nothing is served past its ages',
    parts: withContent((cache) => {
      const denied = new Set<string>();
      return {
        async read(request, tracker) {
          if (denied.has(request.key)) throw new Absent();
          return cache.read(request, tracker).catch((error: unknown) => {
            if (error instanceof Absent) denied.add(request.key);
            throw error;
          });
        },
      };
    }),
  },
  {
    name: 'a cache that cuts its keys',
    caughtBy: 'a value served is one that the upstream gave for its key',
    parts: withContent((cache) => ({
      read: (request, tracker) => cache.read({ ...request, key: request.key.slice(0, -1) }, tracker),
    })),
  },
  {
    name: 'a purge that takes nothing',
    caughtBy: 'nothing from before a hard purge is served after it',
    parts: withContent(() => ({ purge: () => 0 })),
  },
  {
    name: 'a purge that is always soft',
    caughtBy: 'nothing from before a hard purge is served after it',
    parts: withContent((cache) => ({ purge: (what) => cache.purge({ ...what, soft: true }) })),
  },
  {
    name: 'a purge that ignores flights',
    caughtBy: 'nothing from before a hard purge is served after it',
    parts: withLoads(async (loading, request, cache) => {
      const value = await loading;
      smuggle(cache, request, value);
      return value;
    }),
  },
  {
    name: 'a cache that keeps errors',
    caughtBy: 'no error is kept',
    parts: withLoads((loading, request, cache) =>
      loading.catch((error: unknown) => {
        smuggle(cache, request, { error: String(error) });
        throw error;
      }),
    ),
  },
  {
    name: 'a cache that lets a failure take the copy',
    caughtBy: 'a failure leaves the copy as it is',
    parts: withLoads((loading, { key }, cache) =>
      loading.catch((error: unknown) => {
        if (!(error instanceof Absent)) cache.purge({ keys: [key] });
        throw error;
      }),
    ),
  },
  {
    name: 'a cache that takes a no for a failure',
    caughtBy: 'a no drops the copy',
    parts: withLoads((loading) =>
      loading.catch((error: unknown) => {
        throw error instanceof Absent ? new Error('not found') : error;
      }),
    ),
  },
  {
    name: 'a cache without a bound',
    caughtBy: 'the bytes stay within the cap',
    parts: withOptions(() => ({ maxBytes: Number.MAX_SAFE_INTEGER })),
  },
  {
    name: 'a freeze that nobody heeds',
    caughtBy: 'a frozen cache loads nothing',
    parts: withContent(({ mode }) => ({
      mode: { ...mode, set: (change) => mode.set({ ...change, mode: 'normal' }) },
    })),
  },
];

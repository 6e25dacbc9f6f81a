import { Absent } from '#server/cache/cache-query.ts';
import { byResource } from '#shared/models/resources-and-policies.ts';
import { type CacheMutant, smuggle, withContent, withLoads, withOptions } from '../mutant-parts.ts';

export const CACHE_MUTANTS: readonly CacheMutant[] = [
  {
    name: 'loads are not shared',
    caughtBy: 'one load a key is in flight',
    parts: withContent((cache) => {
      let reads = 0;
      return {
        read: (query, tracker) => cache.read({ ...query, key: `${query.key} ${++reads}` }, tracker),
      };
    }),
  },
  {
    name: 'values never expire',
    caughtBy: 'no expired value is served',
    parts: withOptions(({ policies }) => ({
      policies: byResource((resource) => ({ ...policies[resource], sie: Number.POSITIVE_INFINITY })),
    })),
  },
  {
    name: 'the clock runs backwards',
    caughtBy: 'no expired value is served',
    parts: withOptions(({ clock }) => ({ clock: { ...clock, monotonic: () => -clock.monotonic() } })),
  },
  {
    name: 'restored entries count as new',
    caughtBy: 'no expired value is served',
    parts: withContent((cache) => ({
      restore: (saved) => cache.restore(saved, 0),
    })),
  },
  {
    name: 'negative caching never ends',
    caughtBy: 'no expired value is served',
    parts: withContent((cache) => {
      const absent = new Set<string>();
      return {
        async read(query, tracker) {
          if (absent.has(query.key)) throw new Absent();
          return cache.read(query, tracker).catch((error: unknown) => {
            if (error instanceof Absent) absent.add(query.key);
            throw error;
          });
        },
      };
    }),
  },
  {
    name: 'keys are truncated',
    caughtBy: 'a served value is one that the upstream returned for its key',
    parts: withContent((cache) => ({
      read: (query, tracker) => cache.read({ ...query, key: query.key.slice(0, -1) }, tracker),
    })),
  },
  {
    name: 'a purge removes nothing',
    caughtBy: 'no value from before a hard purge is served after it',
    parts: withContent(() => ({ purge: () => 0 })),
  },
  {
    name: 'every purge is soft',
    caughtBy: 'no value from before a hard purge is served after it',
    parts: withContent((cache) => ({ purge: (what) => cache.purge({ ...what, soft: true }) })),
  },
  {
    name: 'a purge ignores loads in flight',
    caughtBy: 'no value from before a hard purge is served after it',
    parts: withLoads(async (loading, query, cache) => {
      const value = await loading;
      smuggle(cache, query, value);
      return value;
    }),
  },
  {
    name: 'errors are cached',
    caughtBy: 'no error is cached',
    parts: withLoads((loading, query, cache) =>
      loading.catch((error: unknown) => {
        smuggle(cache, query, { error: String(error) });
        throw error;
      }),
    ),
  },
  {
    name: 'a failed load removes the cached value',
    caughtBy: 'a failed load keeps the cached value',
    parts: withLoads((loading, { key }, cache) =>
      loading.catch((error: unknown) => {
        if (!(error instanceof Absent)) cache.purge({ keys: [key] });
        throw error;
      }),
    ),
  },
  {
    name: 'a 404 counts at once',
    caughtBy: 'an absent key keeps its cached value until that is confirmed',
    parts: withLoads((loading, { key }, cache) =>
      loading.catch((error: unknown) => {
        if (error instanceof Absent) cache.purge({ keys: [key] });
        throw error;
      }),
    ),
  },
  {
    name: 'a 404 counts as a failure',
    caughtBy: 'an absent key loses its cached value',
    parts: withLoads((loading) =>
      loading.catch((error: unknown) => {
        throw error instanceof Absent ? new Error('not found') : error;
      }),
    ),
  },
  {
    name: 'the size is not bounded',
    caughtBy: 'the bytes are bounded',
    parts: withOptions(() => ({ maxBytes: Number.MAX_SAFE_INTEGER })),
  },
  {
    name: 'a freeze has no effect',
    caughtBy: 'a frozen cache loads nothing',
    parts: withContent(({ mode }) => ({
      mode: { ...mode, set: (change) => mode.set({ ...change, mode: 'normal' }) },
    })),
  },
];

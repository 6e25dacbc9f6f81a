import { type Built, createResponseCache } from '#server/render/response-cache/response-cache.ts';
import { type CacheMutant, withContent } from '../mutant-parts.ts';
import { now } from '../simulated-clock.ts';
import { REAL_PARTS } from './cache-model.ts';
import { type PageText, toResponse } from './pages.ts';

export const PAGE_MUTANTS: readonly CacheMutant[] = [
  {
    name: 'pages under construction are shared after a purge',
    caughtBy: 'no value from before a hard purge is served after it',
    parts: withContent(() => ({ onPurge: () => () => undefined })),
  },
  {
    name: 'changed dependencies count as unchanged',
    caughtBy: 'a cached page was built from the data that is cached',
    parts: withContent((cache) => ({ check: (of) => ({ ...cache.check(of), unchanged: true }) })),
  },
  {
    name: 'dependencies are never checked again',
    caughtBy: 'no expired value is served',
    parts: withContent(() => ({
      check: () => ({
        unchanged: true,
        freshForMs: Number.POSITIVE_INFINITY,
        sameForMs: Number.POSITIVE_INFINITY,
        stale: new Set(),
      }),
    })),
  },
  {
    name: 'the size of cached pages is not bounded',
    caughtBy: 'the bytes are bounded',
    parts: {
      ...REAL_PARTS,
      responses: (options) =>
        createResponseCache<PageText>({ ...options, maxBytes: Number.MAX_SAFE_INTEGER }),
    },
  },
  {
    name: 'paths with the same beginning share a page',
    caughtBy: 'a page is a function of its path and the versions of its data',
    parts: {
      ...REAL_PARTS,
      responses(options) {
        const responses = createResponseCache<PageText>(options);
        return { ...responses, get: (page, build) => responses.get(page.slice(0, 2), build) };
      },
    },
  },
  {
    name: 'a page contains the time it was built',
    caughtBy: 'a page is a function of its path and the versions of its data',
    parts: {
      ...REAL_PARTS,
      build: async (page, read, tracker) => withTime(await REAL_PARTS.build(page, read, tracker)),
    },
  },
  {
    name: 'an incomplete page is kept',
    caughtBy: 'an incomplete page is soon rebuilt',
    parts: {
      ...REAL_PARTS,
      build(page, read, tracker) {
        tracker.markIncomplete = () => undefined;
        return REAL_PARTS.build(page, read, tracker);
      },
    },
  },
];

function withTime(built: Built<PageText>): Built<PageText> {
  return built.kind === 'response' ? toResponse({ ...built.extra, builtAt: now() }) : built;
}

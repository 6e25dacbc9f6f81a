import { type Built, createResponseCache } from '#server/render/response-cache.ts';
import { REAL_PARTS } from './cache-model.ts';
import { type CacheMutant, withContent } from './mutant-parts.ts';
import { type PageText, written } from './pages.ts';
import { now } from './simulated-clock.ts';

/** Pages that are wrong, made of a content cache that is right. */
export const PAGE_MUTANTS: readonly CacheMutant[] = [
  {
    name: 'pages that go on being shared after a purge',
    caughtBy: 'nothing from before a hard purge is served after it',
    parts: withContent(() => ({ onPurge: () => undefined })),
  },
  {
    name: 'pages whose data is taken to be the same',
    caughtBy: 'a page that stands is made of the data that is cached',
    parts: withContent((cache) => ({ check: (of) => ({ ...cache.check(of), unchanged: true }) })),
  },
  {
    name: 'pages whose data is never looked at again',
    caughtBy: 'nothing is served past its ages',
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
    name: 'pages without a bound',
    caughtBy: 'the bytes stay within the cap',
    parts: {
      ...REAL_PARTS,
      responses: (options) =>
        createResponseCache<PageText>({ ...options, maxBytes: Number.MAX_SAFE_INTEGER }),
    },
  },
  {
    name: 'one page for addresses that begin alike',
    caughtBy: 'a page follows from its address and the versions of its data',
    parts: {
      ...REAL_PARTS,
      responses(options) {
        const responses = createResponseCache<PageText>(options);
        return { ...responses, get: (page, build) => responses.get(page.slice(0, 2), build) };
      },
    },
  },
  {
    name: 'a page that says when it was made',
    caughtBy: 'a page follows from its address and the versions of its data',
    parts: {
      ...REAL_PARTS,
      build: async (page, read, tracker) => dated(await REAL_PARTS.build(page, read, tracker)),
    },
  },
  {
    name: 'a page that is kept although it misses data',
    caughtBy: 'a page that misses data is soon made again',
    parts: {
      ...REAL_PARTS,
      build(page, read, tracker) {
        tracker.markIncomplete = () => undefined;
        return REAL_PARTS.build(page, read, tracker);
      },
    },
  },
];

function dated(built: Built<PageText>): Built<PageText> {
  return built.kind === 'response' ? written({ ...built.extra, made: now() }) : built;
}

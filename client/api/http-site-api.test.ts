import { beforeEach, expect, test, vi } from 'vitest';
import { createHttpSiteApi } from './http-site-api.ts';

/** Paths of the requests on their way: a fetch without a response, which its signal ends. */
let underWay: string[];

beforeEach(() => {
  underWay = [];
  vi.stubGlobal('fetch', (path: string, { signal }: { signal: AbortSignal }) => {
    underWay.push(path);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        underWay.splice(underWay.indexOf(path), 1);
        reject(signal.reason);
      });
    });
  });
  return () => vi.unstubAllGlobals();
});

/** Reads the home page for a navigation. Returns what supersedes it. */
function navigate(api: ReturnType<typeof createHttpSiteApi>, navigation = new AbortController()): () => void {
  api
    .readsUntil(navigation.signal)
    .home()
    .catch(() => undefined);
  return () => navigation.abort();
}

test('a request for which two navigations wait is cancelled when both are superseded, and not before', () => {
  const api = createHttpSiteApi();
  const supersede = [navigate(api), navigate(api)];
  supersede[0]?.();
  expect(underWay).toHaveLength(1);
  supersede[1]?.();
  expect(underWay).toEqual([]);
});

test('a prefetched request goes on by itself, and is cancelled with the navigation that shares it', () => {
  const api = createHttpSiteApi();
  api.prefetchReads.home().catch(() => undefined);
  expect(underWay).toHaveLength(1);
  const supersede = navigate(api);
  expect(underWay).toHaveLength(1);
  supersede();
  expect(underWay).toEqual([]);
});

test('a request that a component waits for goes on, also where a superseded navigation shares it', () => {
  const api = createHttpSiteApi();
  api.home().catch(() => undefined);
  navigate(api)();
  expect(underWay).toHaveLength(1);
});

test('a navigation that was superseded before it reads leaves no request behind, prefetched or its own', () => {
  const superseded = new AbortController();
  superseded.abort();
  const api = createHttpSiteApi();
  api.prefetchReads.home().catch(() => undefined);
  navigate(api, superseded);
  expect(underWay).toEqual([]);
  navigate(api, superseded);
  expect(underWay).toEqual([]);
});

test('a read after a cancelled one is a request of its own', () => {
  const api = createHttpSiteApi();
  navigate(api)();
  navigate(api);
  expect(underWay).toHaveLength(1);
});

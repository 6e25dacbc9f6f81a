import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ContentCache, createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES } from '#server/cache/policies.ts';
import { type CmsClient, createCmsClient } from '#server/cms/client/cms-client.ts';
import { createCmsApi } from '#server/cms/cms-api.ts';
import { systemClock } from '#server/time.ts';
import { type CacheQueries, createCacheQueries } from './cache-queries.ts';

const ADDRESS = { category: 'news', slug: 'one' };

let server: Server;
let client: CmsClient;
let cache: ContentCache;
let queries: CacheQueries;
let post: Record<string, unknown>;
let outcomes: string[];
const renderHtml = vi.fn((html: string) => ({
  html,
  headings: [],
  beginning: '',
  reduced: null,
  losses: [],
}));

beforeEach(async () => {
  post = { id: '1', cat_slug: 'news', post_name: 'one', post_title: 'One', post_content: '<p>Text.</p>' };
  outcomes = [];
  renderHtml.mockClear();
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ result: [post] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = createCmsClient({
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    timeoutMs: 20_000,
    logger: { warn: () => undefined },
    clock: systemClock,
    onCall: ({ outcome }) => outcomes.push(outcome),
  });
  cache = createContentCache({ policies: DEFAULT_POLICIES, maxBytes: 1e6, clock: systemClock });
  // Each read loads.
  cache.mode.set({ mode: 'bypass' });
  queries = createCacheQueries(
    createCmsApi({
      client,
      renderHtml,
      imageHost: '/media',
      imagesServedBelow: null,
      publicOrigin: 'https://www.example.com',
      report: () => undefined,
    }),
  );
});

afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

const read = () => cache.read(queries.article(ADDRESS), new DependencyTracker());

it('the same response again is not parsed: the cached value is its value', async () => {
  const first = await read();
  expect(await read()).toBe(first);
  expect(await read()).toBe(first);
  expect(renderHtml).toHaveBeenCalledTimes(1);
  expect(outcomes).toEqual(['ok', 'ok', 'ok']);
});

it('another response is parsed, also where its value is the same, and compared from then on', async () => {
  const first = await read();
  post['unknown_field'] = 1;
  const second = await read();
  expect(second).toEqual(first);
  expect(await read()).toBe(second);
  expect(renderHtml).toHaveBeenCalledTimes(2);
  post['post_title'] = 'Two';
  expect((await read()).article.title).toBe('Two');
});

it('a response of an earlier value that is not cached any more is parsed', async () => {
  await read();
  post['post_title'] = 'Two';
  await read();
  post['post_title'] = 'One';
  expect((await read()).article.title).toBe('One');
  cache.purge({ all: true });
  expect((await read()).article.title).toBe('One');
  expect(renderHtml).toHaveBeenCalledTimes(4);
});

it('a response that cannot be parsed is a failure each time', async () => {
  post = { id: [] };
  await expect(read()).rejects.toThrow();
  cache.purge({ all: true });
  await expect(read()).rejects.toThrow();
  expect(outcomes).toEqual(['shape', 'shape']);
});

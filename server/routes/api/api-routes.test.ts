import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { canonicalRedirect } from '#server/http/canonical-redirect.ts';
import { SCHEMAS_DOCUMENT } from '#server/http/schema-compilers.ts';
import { NO_TRACING } from '#server/tracing/tracing.ts';
import { apiRoutes } from './api-routes.ts';

/** Requests targets of routes whose responses are cached. Returns the targets that the front cache learned, with their keys. */
async function remembered(...targets: string[]): Promise<[target: string, key: string][]> {
  const added: [string, string][] = [];
  const app = Fastify({ schemaController: SCHEMAS_DOCUMENT });
  await app.register(canonicalRedirect);
  const nothing = Buffer.alloc(0);
  const variant = { body: nothing, etag: '"none"', encoding: 'identity' as const, length: 0 };
  await app.register(apiRoutes, {
    config: { rateLimit: { read: 0, write: 0, beacon: 0 } },
    responses: {
      get: async () => ({
        kind: 'response',
        response: {
          status: 200,
          contentType: 'application/json',
          variants: { br: variant, gzip: variant, identity: variant },
          bytes: 0,
        },
        extra: { route: undefined, page: null, viewOf: null },
        dependencies: [],
        complete: true,
        outcome: { forward: null, ttl: 1, took: null },
      }),
    },
    createSiteApi: () => {
      throw new Error('no data is loaded');
    },
    apiCacheKeys: { add: (target, key) => added.push([target, key]) },
    views: { count: () => undefined, beforePage: () => undefined },
    sendResponse: (response) => response.end(),
    tracing: NO_TRACING,
  });
  for (const target of targets) await app.inject(target);
  await app.close();
  return added;
}

const CANONICAL = [
  '/api/home',
  '/api/topics/news?page=2',
  '/api/events?tab=past&page=2',
  '/api/articles/news/caf%C3%A9',
  '/api/search/all/%252E',
];

it('adds a target to the front cache only if it is canonical', async () => {
  expect((await remembered(...CANONICAL)).map(([target]) => target)).toEqual(CANONICAL);
  expect(
    await remembered(
      '/api/home?utm_source=x',
      '/api/hom%65',
      '/api/home/',
      '/api/topics/news?page=02',
      '/api/topics/news?page=1',
      '/api/topics/news?page=2&page=3',
      '/api/events?page=2&tab=past',
      '/api/events',
      '/api/events?tab=past',
      '/api/events?tab=all&page=01',
      '/api/articles/news/caf%c3%a9',
      '/api/search/all/%2E',
    ),
  ).toEqual([]);
});

it('has one cache key per response, however the query is written', async () => {
  const [[, key] = []] = await remembered('/api/topics/news?page=2');
  expect(key).toBe('api /api/topics/:category [{"category":"news"},{"page":2}]');
});

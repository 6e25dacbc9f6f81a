import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { redirectToCanonicalUrl } from '#server/http/canonical-redirect.ts';
import { SCHEMAS_DOCUMENT } from '#server/http/schema-compilers.ts';
import { apiRoutes } from './api.ts';
import type { ApiCacheKey } from './api-cache-keys.ts';

/** The routes over answers that are there already. Answers the targets that are remembered, with their keys. */
async function remembered(...targets: string[]): Promise<[target: string, key: string][]> {
  const added: [string, ApiCacheKey][] = [];
  const app = Fastify({ schemaController: SCHEMAS_DOCUMENT });
  redirectToCanonicalUrl(app);
  const nothing = Buffer.alloc(0);
  const variant = { body: nothing, etag: '"none"', encoding: 'identity' as const };
  apiRoutes(app, {
    responses: {
      get: async () => ({
        kind: 'response',
        response: {
          status: 200,
          contentType: 'application/json',
          variants: { br: variant, gzip: variant, identity: variant },
          bytes: 0,
        },
        extra: { viewOf: null },
        outcome: { forward: null, ttl: 1, took: null },
      }),
    },
    createSiteApi: () => {
      throw new Error('nothing is asked for');
    },
    targets: { add: (target, asked) => added.push([target, asked]) },
    views: { count: () => undefined, beforePage: () => undefined },

    sendResponse: (response) => response.end(),
    rateLimit: {},
  });
  for (const target of targets) await app.inject(target);
  await app.close();
  return added.map(([target, { key }]) => [target, key]);
}

const CANONICAL = [
  '/api/home',
  '/api/topics/news?page=2',
  '/api/events?tab=past&page=2',
  '/api/articles/news/caf%C3%A9',
  '/api/search/all/%252E',
];

it('remembers a target as it is spelled only where that is the one spelling', async () => {
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

it('keeps an answer under one key, however its query is spelled', async () => {
  const [[, key] = []] = await remembered('/api/topics/news?page=2');
  expect(key).toBe('api /api/topics/:category [{"category":"news"},{"page":2}]');
});

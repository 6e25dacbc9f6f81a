import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { canonicalRedirect } from '#server/http/canonical-redirect.ts';
import { SCHEMAS_DOCUMENT } from '#server/http/route-schemas.ts';
import { NO_TRACING } from '#server/tracing/tracing.ts';
import { apiRoutes } from './api-routes.ts';

/** Requests targets of routes whose responses are cached. Returns the keys that they are looked up by. */
async function keysOf(...targets: string[]): Promise<string[]> {
  const keys: string[] = [];
  const app = Fastify({ schemaController: SCHEMAS_DOCUMENT });
  await app.register(canonicalRedirect);
  const nothing = Buffer.alloc(0);
  const variant = { body: nothing, etag: '"none"', encoding: 'identity' as const, length: 0 };
  await app.register(apiRoutes, {
    config: { rateLimit: { read: 0, write: 0, beacon: 0 } },
    responses: {
      async get(key) {
        keys.push(key);
        return {
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
          outcome: { forward: null, ttl: 1 },
        };
      },
    },
    createSiteApi: () => {
      throw new Error('no data is loaded');
    },
    clientIpOf: () => '',
    views: { count: () => undefined, beforePage: () => undefined },
    sendResponse: (response) => response.end(),
    tracing: NO_TRACING,
  });
  for (const target of targets) await app.inject(target);
  await app.close();
  return keys;
}

const CANONICAL = [
  '/api/home',
  '/api/topics/news?page=2',
  '/api/events?tab=past&page=2',
  '/api/articles/news/caf%C3%A9',
  '/api/search/all/%252E',
];

it('has the canonical target for a key, by which the front cache finds the response', async () => {
  expect(await keysOf(...CANONICAL)).toEqual(CANONICAL);
});

it.each([
  ['/api/home?utm_source=x', '/api/home'],
  ['/api/topics/news?page=02', '/api/topics/news?page=2'],
  ['/api/topics/news?page=1', '/api/topics/news'],
  ['/api/topics/news?page=2&page=3', '/api/topics/news'],
  ['/api/events?page=2&tab=past', '/api/events?tab=past&page=2'],
  ['/api/events?tab=all&page=1', '/api/events'],
  ['/api/events?tab=past&page=1', '/api/events?tab=past'],
  ['/api/events?tab=all&page=02', '/api/events?page=2'],
])('%s has the key %s', async (target, key) => {
  expect(await keysOf(target)).toEqual([key]);
});

it.each(['/api/hom%65', '/api/home/', '/api/articles/news/caf%c3%a9', '/api/search/all/%2E'])(
  '%s, which is redirected, has none',
  async (target) => {
    expect(await keysOf(target)).toEqual([]);
  },
);

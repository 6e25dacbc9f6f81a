import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inTurn } from '../../matrix.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { rawRequest, statusesOf } from './raw-request.ts';

let site: SiteUnderTest;
/** Paths that are known once the site runs, by their placeholders in the tables. */
const known: Record<string, string> = {};

beforeAll(async () => {
  // Without an image host `/media` is this origin's own.
  site = await startSiteUnderTest({ IMAGE_HOST: '' });
  const { top } = z
    .object({ top: z.array(z.object({ category: z.string(), slug: z.string() })).min(1) })
    .parse((await request(site.origin).get('/api/home')).body);
  const { text } = await request(site.origin).get('/');
  known['an article'] = `/${top[0]?.category}/${top[0]?.slug}`;
  const { body: list } = await request(site.origin).get('/api/events');
  known['an event for calendars'] = `/events/${list.events[0].slug}.ics`;
  known['an asset'] = /href="(\/assets\/[^"]+\.css)"/.exec(text)?.[1] ?? '';
  known['a picture'] = /src="(\/media\/[^"]+)"/.exec(text)?.[1] ?? '';
});
afterAll(() => site.close());
beforeEach(() => site.faults([]));

const at = (path: string) => known[path] ?? path;

const READ = [
  '/',
  '/about',
  '/events?tab=past',
  '/topic/news',
  '/search/all/data?page=2',
  'an article',
  'an event for calendars',
  '/feed.xml',
  '/feed.atom',
  '/topic/news/feed.json',
  '/sitemap.xml',
  '/sitemaps/pages.xml',
  '/sitemaps/posts/topic/news/1.xml',
  '/news-sitemap.xml',
  '/robots.txt',
  '/opensearch.xml',
  '/manifest.webmanifest',
  '/speculation-rules.json',
  '/.well-known/security.txt',
  '/api/navigation',
  '/api/home',
  '/api/events?tab=past',
  '/api/topics/news',
  '/api/openapi.json',
  'an asset',
  '/favicon.svg',
  'a picture',
  '/healthz',
  '/readyz',
  '/search?term=data',
];
const WRITTEN = ['/api/subscriptions', '/api/contact-messages', '/api/opt-outs', '/api/views', '/api/vitals'];
const NOWHERE = ['/nothing', '/a/b/c/d', '/api/nothing', '/api/a/b/c/d', '/sitemaps/nothing.xml/x/y'];

const UNSAFE = ['post', 'put', 'patch', 'delete'] as const;
const TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'a/b; c'];

describe.each(READ.map((path, turn) => [path, turn] as const))('%s', (path, turn) => {
  it.each(UNSAFE)('is 405 with Allow for %s, whatever the body', async (method) => {
    for (const type of inTurn(TYPES, turn + UNSAFE.indexOf(method))) {
      const { headers, body } = await request(site.origin)
        [method](at(path))
        .set('content-type', type)
        .send('{"broken')
        .expect(405)
        .expect('content-type', /^application\/problem\+json/);
      expect(headers['allow']).toBe('GET, HEAD, OPTIONS');
      expect(body).toMatchObject({ title: 'Method Not Allowed', status: 405 });
    }
  });

  it('tells its methods to OPTIONS', async () => {
    const { headers, text } = await request(site.origin).options(at(path)).expect(204);
    expect(headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect(text).toBe('');
  });

  it('is the same for HEAD as for GET, without the body', async () => {
    // The first request fills the cache; the front cache serves the others where it may.
    await request(site.origin).get(at(path)).redirects(0);
    // The client sends an `Accept-Encoding` of its own with GET alone.
    for (const asked of [
      { 'accept-encoding': 'gzip' },
      { 'accept-encoding': 'br' },
      { 'accept-encoding': 'identity' },
      { 'accept-encoding': 'identity', 'if-none-match': '*' },
    ]) {
      const got = await request(site.origin).get(at(path)).set(asked).redirects(0).buffer(true);
      const headed = await request(site.origin).head(at(path)).set(asked).redirects(0);
      expect(headed.status).toBe(got.status);
      expect(lasting(headed.headers)).toEqual(lasting(got.headers));
      expect(headed.text ?? '').toBe('');
    }
  });
});

/** Headers without those that differ between responses or describe the framing. */
function lasting(headers: Record<string, string>): Record<string, string | null> {
  const passing = ['x-request-id', 'cache-status', 'date', 'transfer-encoding', 'connection', 'keep-alive'];
  return { ...headers, ...Object.fromEntries(passing.map((name) => [name, null])) };
}

describe.each(WRITTEN)('%s', (path) => {
  it.each(['get', 'put', 'patch', 'delete'] as const)('is 405 with Allow for %s', async (method) => {
    const { headers } = await request(site.origin)[method](path).expect(405);
    expect(headers['allow']).toBe('POST, OPTIONS');
  });

  it('is 405 with Allow for HEAD, and tells its methods to OPTIONS', async () => {
    for (const response of [
      await request(site.origin).head(path).expect(405),
      await request(site.origin).options(path).expect(204),
    ])
      expect(response.headers['allow']).toBe('POST, OPTIONS');
  });
});

describe.each(NOWHERE)('%s', (path) => {
  it.each(['get', 'head', 'options', ...UNSAFE] as const)('is 404 for %s', async (method) => {
    const { headers } = await request(site.origin)[method](path).expect(404);
    expect(headers).not.toHaveProperty('allow');
  });
});

describe('a method that no address takes', () => {
  it.each(['TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH', 'PURGE'])(
    'is 405 with Allow where there is a resource, else 404: %s',
    async (method) => {
      for (const [target, status, allow] of [
        ['/', 405, 'GET, HEAD, OPTIONS'],
        ['/about?by=fastify', 405, 'GET, HEAD, OPTIONS'],
        ['/feed.xml', 405, 'GET, HEAD, OPTIONS'],
        ['/api/views', 405, 'POST, OPTIONS'],
        ['/nothing', 404, null],
        ['/api/nothing', 404, null],
      ] as const) {
        const bytes = `${method} ${target} HTTP/1.1\r\nHost: x\r\nCookie: canary\r\nConnection: close\r\n\r\n`;
        const response = await rawRequest(site.origin, bytes);
        expect(statusesOf(response), target).toEqual([status]);
        expect(/\r\nallow: ([^\r]+)/i.exec(response)?.[1] ?? null, target).toBe(allow);
        // TRACE would reveal headers that a page must not read.
        expect(response, target).not.toContain('canary');
      }
    },
  );

  it.each(['FOO', 'get', 'GETT'])('is 400 where no parser knows it: %s', async (method) => {
    for (const target of ['/', '/api/home', '/nothing']) {
      const bytes = `${method} ${target} HTTP/1.1\r\nHost: x\r\nCookie: canary\r\n\r\n`;
      const response = await rawRequest(site.origin, bytes);
      expect(statusesOf(response)).toEqual([400]);
      expect(response).not.toContain('canary');
    }
  });
});

describe('the operators’ listener', () => {
  it.each([
    ['/', 'GET, HEAD, OPTIONS', 'post'],
    ['/metrics', 'GET, HEAD, OPTIONS', 'delete'],
    ['/cache', 'GET, HEAD, OPTIONS', 'put'],
    ['/cache/purge', 'POST, OPTIONS', 'get'],
    ['/cache/policies/topic', 'PATCH, DELETE, OPTIONS', 'post'],
    ['/cache/mode', 'GET, HEAD, PATCH, OPTIONS', 'post'],
    ['/outbox/1/retry', 'POST, OPTIONS', 'get'],
    ['/outbox', 'GET, HEAD, DELETE, OPTIONS', 'put'],
    ['/outbox/retry', 'POST, OPTIONS', 'put'],
    ['/outbox/1', 'DELETE, OPTIONS', 'put'],
  ] as const)('%s takes %s, and %s is 405', async (path, allow, method) => {
    const refused = await request(site.ops)[method](path).expect(405);
    expect(refused.headers['allow']).toBe(allow);
    const told = await request(site.ops).options(path).expect(204);
    expect(told.headers['allow']).toBe(allow);
  });

  it('asks for its token before it tells anything', async () => {
    const own = await startSiteUnderTest({ OPS_TOKEN: 'a-token-of-sixteen-signs' });
    try {
      const { headers } = await request(own.ops).put('/cache').expect(401);
      expect(headers).not.toHaveProperty('allow');
    } finally {
      await own.close();
    }
  });
});

it('a page that is not available is the same for HEAD as for GET', async () => {
  const own = await startSiteUnderTest();
  try {
    await own.faults([{ path: '/api/*', kind: 'status', status: 500 }]);
    const asked = { 'accept-encoding': 'identity' };
    const got = await request(own.origin).get('/events').set(asked).expect(503);
    const headed = await request(own.origin).head('/events').set(asked).expect(503);
    expect(lasting(headed.headers)).toEqual(lasting(got.headers));
  } finally {
    await own.close();
  }
});

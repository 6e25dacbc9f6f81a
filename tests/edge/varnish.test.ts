import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tagHeaderValue } from '#server/cdn/cdn-tags.ts';
import { freePort } from '../free-port.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import {
  ask as askCache,
  type SharedCache,
  type SharedCacheCases,
  testSharedCache,
  testSiteOutage,
} from './shared-cache.ts';
import { startVarnish } from './varnish.ts';

const VARNISH: SharedCacheCases = {
  start: startVarnish,
  env: (port) => ({ CDN: 'varnish', CDN_PURGE_URL: `http://127.0.0.1:${port}/` }),
  hit: 'varnish; hit',
  encodings: [
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=1.0, gzip;q=0.8', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['BR;Q=0.000,gzip;q=0.5', 'gzip'],
    ['identity', undefined],
    ['br;q=0,gzip;q=0.0', undefined],
  ],
  configuration: readFileSync(join(import.meta.dirname, '../../deploy/varnish/default.vcl'), 'utf8'),
};

testSharedCache(VARNISH);

let site: SiteUnderTest;
let varnish: SharedCache;
let article: { path: string; id: string };

beforeAll(async () => {
  const port = await freePort();
  site = await startSiteUnderTest({
    CDN: 'varnish',
    CDN_PURGE_URL: `http://127.0.0.1:${port}/`,
    TRUST_PROXY: '127.0.0.1',
    CACHE_ARTICLE_TTL: '2',
    CACHE_ARTICLE_SWR: '2',
    // Long: only a purge makes these younger.
    CACHE_EVENT_TTL: '600',
    CACHE_EVENTS_TTL: '600',
    CACHE_LATEST_TTL: '600',
    CACHE_NAVIGATION_TTL: '600',
    CACHE_ADS_TTL: '600',
    IMAGE_HOST: '',
  });
  varnish = await startVarnish(port, Number(new URL(site.origin).port));
  const { top } = await (await fetch(`${site.origin}/api/home`)).json();
  article = { path: `/${top[0].category}/${top[0].slug}`, id: top[0].id };
});
afterAll(async () => {
  await varnish.stop();
  await site.close();
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  askCache(varnish, path, { hit: VARNISH.hit, headers });

const operate = (method: string, path: string, body: object) =>
  fetch(site.ops + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the site behind Varnish', () => {
  it('knows each reader by an address of their own, whatever they say it is', async () => {
    const port = await freePort();
    const limited = await startSiteUnderTest({
      ...VARNISH.env(port),
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT_BEACON: '2',
    });
    const cache = await startVarnish(port, Number(new URL(limited.origin).port));
    const statusFrom = async (localAddress: string, forged: string) => {
      const dispatcher = new Agent({ localAddress });
      const { statusCode, body } = await request(`${cache.origin}/api/views`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forged },
        body: JSON.stringify({ postId: article.id }),
        dispatcher,
      });
      await body.dump();
      await dispatcher.close();
      return statusCode;
    };
    try {
      const statuses: number[] = [];
      for (const forged of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
        statuses.push(await statusFrom('127.0.0.2', forged));
      statuses.push(await statusFrom('127.0.0.3', '203.0.113.1'));
      expect(statuses).toEqual([202, 202, 429, 202]);
    } finally {
      await cache.stop();
      await limited.close();
    }
  });

  it('has documents, data, feeds and pictures served from there, with Age and without a word for Varnish alone', async () => {
    const picture = /src="(\/media\/[^"]+)"/.exec(await (await fetch(site.origin)).text())?.[1] ?? '';
    for (const path of [
      '/',
      '/about',
      article.path,
      '/api/navigation',
      '/feed.xml',
      '/sitemap.xml',
      picture,
    ]) {
      await ask(path);
      const { status, headers, isHit } = await ask(path);
      expect([path, status, isHit]).toEqual([path, 200, true]);
      expect(headers['age']).toMatch(/^\d+$/);
      for (const name of ['cdn-cache-control', 'xkey', 'x-stale-while-revalidate', 'x-varnish', 'via'])
        expect(headers[name], name).toBeUndefined();
    }
  });

  it('gives a 304 from there, and each reader a request id of their own', async () => {
    const first = await ask('/about');
    const again = await ask('/about', { 'if-none-match': String(first.headers['etag']) });
    expect([again.status, again.body]).toEqual([304, '']);
    const ids = [first, again, await ask('/about')].map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(3);
  });

  it('shows a change upstream soon after the article’s ttl, under steady reading', async () => {
    const call = `/api/post/postdetails${article.path}`;
    const original = await (await fetch(site.demoCms + call)).text();
    const body = JSON.parse(original.replaceAll(/"post_title":"[^"]*"/g, '"post_title":"Changed upstream"'));
    await ask(article.path, { 'accept-encoding': 'identity' });
    await site.faults([{ path: call, kind: 'wrong-json', body }]);
    const shown = async () => (await ask(article.path, { 'accept-encoding': 'identity' })).body;
    // Two seconds, and what a busy machine takes: without the site's own directive Varnish would keep it for two minutes.
    await expect.poll(shown).toContain('Changed upstream');
    await site.faults([]);
  });

  it.each([
    ['hard', false],
    ['softly', true],
  ])('is purged %s by tag', async (_how, soft) => {
    const { events } = await (await fetch(`${site.origin}/api/events`)).json();
    const path = `/events/${events[0].slug}`;
    const age = async () => Number((await ask(path)).headers['age']);
    let before = 0;
    // The very one that was seen: a section that comes late makes the page anew.
    const readBefore = async () => {
      before = await age();
      return before;
    };
    await expect.poll(readBefore).toBeGreaterThan(1);
    await operate('POST', '/cache/purge', { tags: [`event:${events[0].slug}`], soft });
    await expect.poll(age).toBeLessThan(before);
  });
});

it('is purged of every document, and of nothing else, by one tag: after a deploy', async () => {
  const kept = ['/api/navigation', '/feed.xml'];
  const documents = ['/about', '/privacy-policy', '/no-posts', '/nowhere-at-all'];
  const isHit = async (path: string) => (await ask(path)).isHit;
  const areHits = async (paths: string[]) => Promise.all(paths.map(isHit));
  await areHits([...kept, ...documents]);
  expect(await areHits([...kept, ...documents])).not.toContain(false);
  await operate('POST', '/cache/purge', { tags: ['document'] });
  await expect.poll(() => isHit('/about')).toBe(false);
  expect(await areHits(documents.slice(1))).not.toContain(true);
  expect(await areHits(kept)).not.toContain(false);
});

it('a response with as many tags as one may have is kept, and purged by the last of them', async () => {
  const tags = tagHeaderValue(
    Array.from({ length: 1_600 }, (_, index) => `post:${100_000 + index}`),
    ' ',
  );
  expect(tags.length).toBeGreaterThan(16_000);
  let responses = 0;
  const backend = createServer((request, response) => {
    if (request.url === '/page') responses++;
    response.writeHead(200, { 'cdn-cache-control': 'max-age=60', xkey: tags }).end();
  }).listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const { port: backendPort } = backend.address() as AddressInfo;
  const cache = await startVarnish(await freePort(), backendPort);
  try {
    const page = async () => (await fetch(`${cache.origin}/page`)).status;
    expect([await page(), await page()]).toEqual([200, 200]);
    expect(responses).toBe(1);
    await request(cache.origin, { method: 'PURGE', headers: { 'xkey-purge': tags.split(' ').at(-1) ?? '' } });
    expect([await page(), responses]).toEqual([200, 2]);
  } finally {
    await cache.stop();
    backend.closeAllConnections();
    backend.close();
  }
});

/** Ends a server with its connections, where it has not ended yet. */
async function end(server: Server | undefined): Promise<void> {
  if (!server?.listening) return;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

it('asks the other instance where one is ready by its probe and responds to nothing else, and sends no post twice', async () => {
  const requests: string[] = [];
  const backends = await Promise.all(
    [true, false].map(async (responds) => {
      const backend = createServer(async (request, response) => {
        if (request.url?.endsWith('z')) return response.end();
        requests.push(`${request.method} ${request.url}`);
        await text(request);
        return responds ? response.end() : request.socket.destroy();
      }).listen(0, '127.0.0.1');
      await once(backend, 'listening');
      return backend;
    }),
  );
  const [port = 0, second = 0] = backends.map((backend) => (backend.address() as AddressInfo).port);
  const cache = await startVarnish(await freePort(), port, second);
  try {
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
    for (const method of ['GET', 'HEAD'])
      for (const path of paths) expect((await fetch(cache.origin + path, { method })).status, path).toBe(200);
    expect(requests.length).toBeGreaterThan(2 * paths.length);
    requests.length = 0;
    const post = (path: string) => fetch(cache.origin + path, { method: 'POST', body: 'a message' });
    const posts = await Promise.all(paths.map(post));
    expect(new Set(posts.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(requests).toHaveLength(paths.length);
    await end(backends[1]);
    const refused = await Promise.all(paths.map(post));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([200]));
    await end(backends[0]);
    const failed = await fetch(`${cache.origin}/nothing-kept`);
    expect([failed.status, failed.headers.get('cache-control'), await failed.text()]).toEqual([
      503,
      'no-store',
      'The site does not respond. Please try again in a few seconds.',
    ]);
  } finally {
    await cache.stop();
    await Promise.all(backends.map(end));
  }
});

it('while the site is down, serves what it has to whoever comes, and says that the site is not ready', () =>
  testSiteOutage(VARNISH));

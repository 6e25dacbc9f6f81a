import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pages } from '#client/routes.tsx';
import { freePort } from '../free-port.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';

/** A shared cache in front of the site, on loopback. */
export interface SharedCache {
  origin: string;
  stop(): Promise<void>;
}

export interface SharedCacheCases {
  start(port: number, backendPort: number): Promise<SharedCache>;
  /** Configuration of the site behind it. */
  env(port: number): Record<string, string>;
  /** What the `Cache-Status` of a hit says last. */
  hit: string;
  /** Encodings that it keeps of a document, by what a client accepts. */
  encodings: readonly (readonly [accepts: string, encoding: string | undefined])[];
  /** The text of its configuration. */
  configuration: string;
}

export interface Seen {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  isHit: boolean;
}

/** Asks a shared cache, with the headers of a browser that takes brotli. */
export async function ask(
  cache: SharedCache,
  path: string,
  { hit, headers = {} }: { hit: string; headers?: Record<string, string> },
): Promise<Seen> {
  const response = await request(cache.origin + path, {
    headers: { 'accept-encoding': 'br, gzip', 'user-agent': 'Mozilla/5.0 Firefox/140.0', ...headers },
  });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  const isGzip = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
  const statuses = [response.headers['cache-status'] ?? ''].flat();
  return {
    status: response.statusCode,
    headers: response.headers,
    body: (isGzip ? gunzipSync(bytes) : bytes).toString('latin1'),
    isHit: statuses.at(-1)?.endsWith(hit) ?? false,
  };
}

/** The cases that every shared cache of `deploy/` has to pass. */
export function testSharedCache({ start, env, hit, encodings, configuration }: SharedCacheCases): void {
  let site: SiteUnderTest;
  let cache: SharedCache;
  let picture: string;
  const siteDir = mkdtempSync(join(tmpdir(), 'site-folder-'));
  writeFileSync(join(siteDir, 'redirects.txt'), '/?p=12 /about\n/old-page /about\n');
  const see = (path: string, headers: Record<string, string> = {}) => ask(cache, path, { hit, headers });

  beforeAll(async () => {
    const port = await freePort();
    site = await startSiteUnderTest({
      TRUST_PROXY: '127.0.0.1',
      IMAGE_HOST: '',
      SITE_DIR: siteDir,
      ...env(port),
    });
    cache = await start(port, Number(new URL(site.origin).port));
    const home = await (await fetch(site.origin)).text();
    picture = /src="(\/media\/[^"]+)"/.exec(home)?.[1] ?? '';
  });
  afterAll(async () => {
    await cache.stop();
    await site.close();
    rmSync(siteDir, { recursive: true });
  });

  it('serves documents, feeds and pictures that it has', async () => {
    for (const path of ['/', '/about', '/topic/news', '/feed.xml', '/sitemap.xml', picture]) {
      await see(path);
      const { status, isHit } = await see(path);
      expect([path, status, isHit]).toEqual([path, 200, true]);
    }
  });

  it('keeps one variant for each encoding, however clients spell what they take', async () => {
    for (const [accepts, encoding] of encodings) {
      await see('/about', { 'accept-encoding': accepts });
      const { headers, body, isHit } = await see('/about', { 'accept-encoding': accepts });
      expect([accepts, isHit, headers['content-encoding']]).toEqual([accepts, true, encoding]);
      if (encoding !== 'br') expect(body).toContain('<h1');
    }
    for (const [accepts] of encodings)
      expect((await see('/about', { 'accept-encoding': `deflate, ${accepts}` })).isHit, accepts).toBe(true);
  });

  it('has the host as part of no key', async () => {
    await see('/privacy-policy');
    for (const host of ['www.example.com', 'WWW.EXAMPLE.COM:80', 'nobody.example'])
      expect((await see('/privacy-policy', { host })).isHit, host).toBe(true);
  });

  it('has only parameters that the site knows as part of a key, in one order', async () => {
    await see('/events?tab=past&page=2');
    for (const query of [
      'utm_source=x&tab=past&page=2',
      'page=2&fbclid=1&tab=past',
      'a&&tab=past&page=2&gclid=2&',
      'xpage=7&tab=past&page=2&page=3',
      `${'a=1&'.repeat(500)}tab=past&page=2`,
      `${'page&'.repeat(500)}tab=past&page=2`,
      `${'a'.repeat(4_000)}&tab=past&page=2`,
    ])
      expect((await see(`/events?${query}`)).isHit, query).toBe(true);
    for (const query of ['tab=upcoming&page=2', 'tab=past', 'x=page=2'])
      expect((await see(`/events?${query}`)).isHit, query).toBe(false);
    expect((await see('/events?x=1')).isHit).toBe(true);
    for (const path of ['/events&tab=past&page=2', '/events%3Ftab=past&page=2'])
      expect((await see(path)).status, path).toBe(404);
  });

  it('redirects by a query, and keeps the query of an address that is redirected', async () => {
    await see('/');
    expect((await see('/')).isHit).toBe(true);
    for (const [path, location] of [
      ['/?p=12', '/about'],
      ['/old-page?utm_source=a', '/about?utm_source=a'],
      ['/old-page?utm_source=b', '/about?utm_source=b'],
      ['/About/?utm_source=c', '/about?utm_source=c'],
    ] as const)
      expect([path, (await see(path)).headers['location']]).toEqual([path, location]);
  });

  it('knows the parameters of every page', () => {
    const parameters = pages.flatMap(({ query }) => Object.keys(query ?? {}));
    expect(parameters).toContain('page');
    for (const name of [...parameters, 'crop', 'term', 'width']) expect(configuration).toMatch(`&${name}=`);
  });

  it('keeps a picture once in each format', async () => {
    const [path = ''] = picture.split('?');
    for (const [accept, type] of [
      ['image/avif,image/webp,image/png,*/*;q=0.8', 'image/avif'],
      ['image/avif', 'image/avif'],
      ['text/html, image/AVIF;q=0.9, */*', 'image/avif'],
      ['image/avif;q=0, image/webp', 'image/webp'],
      ['image/webp,*/*', 'image/webp'],
      ['*/*', 'image/jpeg'],
      ['image/avif;q=0.0', 'image/jpeg'],
    ] as const) {
      const first = await see(`${path}?width=320`, { accept });
      const again = await see(`${path}?width=320&junk=${accept.length}`, { accept });
      expect([accept, first.headers['content-type'], again.isHit]).toEqual([accept, type, true]);
    }
    const spelled = await see(`${path}?width=320`, { accept: 'x/y, image/avif;q=0.7' });
    expect([spelled.headers['content-type'], spelled.isHit]).toEqual(['image/avif', true]);
  });

  it('gives a 304 of what it has', async () => {
    await see('/about');
    const { headers } = await see('/about');
    const again = await see('/about', { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  it('passes posts, health checks and redirects', async () => {
    for (const _ of [1, 2]) {
      const { statusCode } = await request(`${cache.origin}/api/subscriptions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"email":"no"}',
      });
      expect(statusCode).toBe(400);
      const ready = await see('/readyz');
      expect([ready.status, ready.isHit]).toEqual([200, false]);
      const { status, isHit } = await see('/About/');
      expect([status, isHit]).toEqual([308, false]);
    }
  });
}

/** What a site that has ended leaves to its readers. To be called within a test. */
export async function testSiteOutage({ start, env, hit, encodings }: SharedCacheCases): Promise<void> {
  const port = await freePort();
  const site = await startSiteUnderTest({ CACHE_HOME_TTL: '1', CACHE_HOME_SWR: '0', ...env(port) });
  const cache = await start(port, Number(new URL(site.origin).port));
  try {
    for (const [accepts] of encodings)
      expect((await ask(cache, '/', { hit, headers: { 'accept-encoding': accepts } })).status).toBe(200);
    const ready = async () => (await ask(cache, '/readyz', { hit })).status;
    expect(await ready()).toBe(200);
    await site.close();
    expect(await ready()).toBeGreaterThanOrEqual(500);
    const until = performance.now() + 3_000;
    for (let requests = 0; requests <= 10 || performance.now() < until; requests++)
      for (const [accepts] of encodings) {
        const { status } = await ask(cache, '/', {
          hit,
          headers: { 'accept-encoding': `deflate, ${accepts}` },
        });
        expect([accepts, status]).toEqual([accepts, 200]);
      }
    const { status } = await fetch(`${cache.origin}/api/views`, { method: 'POST', body: '{}' });
    expect(status).toBeGreaterThanOrEqual(502);
  } finally {
    await cache.stop();
  }
}

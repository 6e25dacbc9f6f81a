import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;
let paths: Record<string, string>;
beforeAll(async () => {
  site = await startSiteUnderTest();
  const { text } = await request(site.origin).get('/');
  const [, picture = ''] = /src="(\/media\/[^"]+)"/.exec(text) ?? [];
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(text) ?? [];
  paths = {
    'a page of the front cache': '/about',
    'a page by Fastify': '/about?by=fastify',
    'an API call': '/api/home',
    'a feed': '/feed.xml',
    'a text': '/robots.txt',
    'a picture': picture.replaceAll('&amp;', '&'),
    'a script': script,
    'a file at the root': '/favicon.svg',
  };
  for (const path of Object.values(paths)) await request(site.origin).get(path).expect(200);
});
afterAll(() => site.close());

const BEFORE = 'Mon, 01 Jan 2001 00:00:00 GMT';
const LATER = 'Fri, 01 Jan 2100 00:00:00 GMT';

describe.each([
  'a page of the front cache',
  'a page by Fastify',
  'an API call',
  'a feed',
  'a text',
  'a picture',
  'a script',
  'a file at the root',
])('%s', (what) => {
  const get = (headers: Record<string, string> = {}) =>
    request(site.origin)
      .get(paths[what] ?? '')
      .set(headers);

  it('is sent where If-Match has its ETag, and is 412 where it has not (RFC 9110, 13.1.1)', async () => {
    const { etag = '' } = (await get()).headers;
    expect(etag).toMatch(/^"/);
    for (const known of [etag, `"other", ${etag}`, '*']) await get({ 'if-match': known }).expect(200);
    for (const other of ['"other"', `W/${etag}`, `"other", W/${etag}`]) {
      const { headers } = await get({ 'if-match': other }).expect(412);
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('is 304 where If-None-Match has its ETag, also with no-cache, which is for caches', async () => {
    const { etag = '' } = (await get()).headers;
    await get({ 'if-none-match': etag, 'cache-control': 'no-cache', pragma: 'no-cache' }).expect(304);
  });

  it('is evaluated in the order of RFC 9110, 13.2.2', async () => {
    const { etag = '' } = (await get()).headers;
    await get({ 'if-match': '"other"', 'if-none-match': etag }).expect(412);
    await get({ 'if-match': etag, 'if-none-match': etag }).expect(304);
    await get({ 'if-match': etag, 'if-unmodified-since': BEFORE }).expect(200);
    await get({ 'if-unmodified-since': LATER }).expect(200);
    await get({ 'if-none-match': etag, 'if-modified-since': BEFORE }).expect(304);
  });

  it('is 412 or sent whole where only If-Unmodified-Since is older, by whether it has a date', async () => {
    const dated = (await get()).headers['last-modified'] !== undefined;
    await get({ 'if-unmodified-since': BEFORE }).expect(dated ? 412 : 200);
  });
});

it('preconditions mean nothing where the response would not be 200 (RFC 9110, 13.2.1)', async () => {
  for (const [path, status] of [
    ['/no/such/page', 404],
    ['/about/', 308],
    ['/api/nothing', 404],
    ['/assets/nothing.js', 404],
  ] as const)
    await request(site.origin)
      .get(path)
      .set({ 'if-match': '"other"', 'if-none-match': '*' })
      .redirects(0)
      .expect(status);
});

it('scripts are text/javascript (RFC 9239)', async () => {
  const { headers } = await request(site.origin)
    .get(paths['a script'] ?? '')
    .expect(200);
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
});

it('HSTS holds for this host, and for subdomains where the publisher says so', async () => {
  const hsts = async (origin: string) =>
    (await request(origin).get('/about')).headers['strict-transport-security'];
  expect(await hsts(site.origin)).toBe('max-age=31536000');
  const all = await startSiteUnderTest({ HSTS_SUBDOMAINS: 'true' });
  expect(await hsts(all.origin)).toBe('max-age=31536000; includeSubDomains');
  await all.close();
});

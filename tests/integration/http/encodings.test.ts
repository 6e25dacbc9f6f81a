import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});
afterAll(() => site.close());

const PATHS = ['/about', '/api/home', '/feed.xml', '/sitemap.xml', '/api/openapi.json'];

async function ask(path: string, acceptEncoding: string, method: 'GET' | 'HEAD' = 'GET') {
  const { statusCode, headers, body } = await request(site.origin + path, {
    method,
    headers: { 'accept-encoding': acceptEncoding },
  });
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

describe.each(PATHS)('%s', (path) => {
  it.each([
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip, br', 'br'],
    ['identity, br;q=0.5', undefined],
    ['identity;q=0, gzip;q=0.2', 'gzip'],
    ['*;q=0.3, br;q=0', 'gzip'],
    ['deflate', undefined],
  ])('is sent to a client of %j as %s', async (acceptEncoding, encoding) => {
    const plain = await ask(path, 'identity');
    const { status, headers, bytes } = await ask(path, acceptEncoding);
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(String(headers['vary'])).toMatch(/accept-encoding/i);
    const decoded =
      encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(decoded.equals(plain.bytes)).toBe(true);
    expect(headers['etag'] === plain.headers['etag']).toBe(encoding === undefined);
  });

  it.each(['identity;q=0', '*;q=0', 'br;q=0, gzip;q=0, identity;q=0'])(
    'is not acceptable to a client of %j',
    async (acceptEncoding) => {
      const { status, headers, bytes } = await ask(path, acceptEncoding);
      expect(status).toBe(406);
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(headers['cache-control']).toBe('no-store');
      expect(String(headers['vary'])).toMatch(/accept-encoding/i);
      expect(JSON.parse(bytes.toString())).toMatchObject({ status: 406, title: 'Not Acceptable' });
      const head = await ask(path, acceptEncoding, 'HEAD');
      expect([head.status, head.bytes.length]).toEqual([406, 0]);
    },
  );
});

it('a client that accepts no coding is told all the same that a page is not there', async () => {
  const { status, headers, bytes } = await ask('/no/such/page', 'identity;q=0');
  expect(status).toBe(404);
  expect(headers['content-encoding']).toBeUndefined();
  expect(bytes.toString()).toContain('Error 404 - Not Found');
});

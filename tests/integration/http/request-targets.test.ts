import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchPath } from '#shared/urls.ts';
import { INTERNAL_DETAILS } from '../internal-details.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { rawRequest, statusesOf } from './raw-request.ts';

let site: SiteUnderTest;
/** A foreign server that no request target may reach (SSRF). */
let canary: Server;
let canaryConnections = 0;
let opsConnections = 0;
/** `address:port` of the canary and of the operators' listener. */
let elsewhere: string;
let ops: string;

beforeAll(async () => {
  canary = createServer((socket) => {
    canaryConnections++;
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\ncanary7f3a-x');
  }).listen(0, '127.0.0.1');
  await once(canary, 'listening');
  const address = canary.address();
  elsewhere = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  // Without an image host `/media` is this origin's own.
  site = await startSiteUnderTest({ IMAGE_HOST: '' });
  ops = new URL(site.ops).host;
  site.servers.operators.on('connection', () => opsConnections++);
});
afterAll(async () => {
  await site.close();
  canary.close();
});

const get = (target: string, head = '') =>
  rawRequest(site.origin, `GET ${target} HTTP/1.1\r\nHost: ${elsewhere}\r\nConnection: close\r\n${head}\r\n`);

/** Returns targets below, above and beside a prefix `p`; `c` is `address:port` of the canary, `o` of the operators' listener. */
const TARGETS: Record<string, (p: string, c: string, o: string) => string[]> = {
  'absolute form': (p, c, o) => [
    `http://${c}${p}`,
    `http://${c}${p}/x`,
    `HTTP://${c}${p}/x`,
    `https://${c}${p}/x`,
    `http://${o}${p}/x`,
    `http://${o}${p}/../metrics`,
    `http://${o}${p}/%2e%2e/metrics`,
    `http://${o}${p}/..%2fmetrics`,
    `http://${o}${p}/%252e%252e/metrics`,
    `http://${o}${p}\\..\\metrics`,
    `http://${o}/metrics`,
    `http://user:secret@${c}${p}/x`,
    `http://localhost@${c}${p}/x`,
    `http://${c}#@localhost${p}/x`,
    `http://${c}\\@localhost${p}/x`,
    `http://${c}`,
    `http://${c}?x=${p}`,
    `http://${c}//${o}${p}/x`,
    `http:/${c}${p}/x`,
    `http:///${c}${p}/x`,
    `http:\\\\${c}${p}/x`,
    `ftp://${c}${p}/x`,
    `gopher://${c}${p}/x`,
    `file://${p}/../../etc/passwd`,
  ],
  'a network path': (p, c, o) => [
    `//${c}${p}/x`,
    `//${o}${p}/../metrics`,
    `///${c}${p}/x`,
    `////${c}${p}/x`,
    `/\\${c}${p}/x`,
    `\\\\${c}${p}/x`,
    `/%2f${c}${p}/x`,
    `/%5c${c}${p}/x`,
    `/%252f${c}${p}/x`,
    `//${c}/%2e%2e${p}`,
    `${p}//${c}/x`,
    `${p}/\\${c}/x`,
  ],
  'authority form and others': (_p, c, o) => [c, o, '*', 'about', 'metrics', '?x'],
  'a path that climbs': (p, _c, o) => [
    `${p}/..`,
    `${p}/../metrics`,
    `${p}/../../../../etc/passwd`,
    `${p}/x/../../metrics`,
    `${p}/%2e%2e/metrics`,
    `${p}/.%2E/metrics`,
    `${p}/..%2fmetrics`,
    `${p}/..%2f..%2f..%2fpackage.json`,
    `${p}/%2e%2e%2f%2e%2e%2fpackage.json`,
    `${p}/%252e%252e/metrics`,
    `${p}/%252e%252e%252f%252e%252e%252fpackage.json`,
    `${p}/%25252e%25252e/metrics`,
    `${p}/%%32%65%%32%65/metrics`,
    `${p}/..%5c..%5cpackage.json`,
    `${p}/..\\..\\package.json`,
    `${p}/..;/metrics`,
    `${p}/....//....//package.json`,
    `${p}/%c0%ae%c0%ae/package.json`,
    `${p}/%u002e%u002e/package.json`,
    `${p}/..%00/package.json`,
    `${p}/../${o}/metrics`,
  ],
  'a host inside a path': (p, c, o) => [
    `${p}@${c}/x`,
    `${p}/@${c}/x`,
    `${p}:80@${c}/x`,
    `${p}.${c}/x`,
    `${p}/http://${c}/x`,
    `${p}/http:%2f%2f${c}%2fx`,
    `${p}/x?url=http://${c}/x`,
    `${p}/x?width=1@${c}/`,
    `${p}/x?width=../../metrics`,
    `${p}/x?width=http://${o}/metrics`,
    `${p}/x#@${c}/`,
    `${p}/x%23@${c}/`,
    `${p}/x%3f@${c}/`,
    `${p}/x%20HTTP/1.1%0d%0aHost:%20${c}`,
    `${p}/%0d%0a%0d%0aGET%20/metrics`,
    `${p}/%00`,
    `${p}/[::1]/x`,
  ],
};

const PREFIXES = [
  '/media',
  '/assets',
  '/api',
  '/api/search/all',
  '/feed.xml',
  '/sitemaps',
  '/topic',
  '/search/all',
  '/news',
  '',
];

describe('nothing leaves and nothing leaks', () => {
  it('which would be seen', async () => {
    const before = [canaryConnections, opsConnections];
    await (await fetch(`http://${elsewhere}/`)).text();
    await (await fetch(`http://${ops}/metrics`)).text();
    expect([canaryConnections, opsConnections]).not.toEqual(before);
    expect(canaryConnections).toBeGreaterThan(before[0] ?? 0);
    expect(opsConnections).toBeGreaterThan(before[1] ?? 0);
  });

  const CASES = PREFIXES.flatMap((prefix) => Object.keys(TARGETS).map((kind) => [prefix, kind] as const));

  it.each(CASES)('below %j with %s', async (prefix, kind) => {
    const before = [canaryConnections, opsConnections];
    for (const target of TARGETS[kind]?.(prefix, elsewhere, ops) ?? []) {
      const response = await get(target);
      const [status = 0, ...more] = statusesOf(response);
      expect(more, target).toEqual([]);
      expect(status, target).toBeGreaterThanOrEqual(200);
      expect(status, target).toBeLessThan(500);
      expect(response, target).not.toMatch(INTERNAL_DETAILS);
      expect(response, target).not.toMatch(/canary7f3a|# HELP|root:|"dependencies"/);
      expect(/^location: (.*)\r$/m.exec(response)?.[1] ?? '/', target).toMatch(/^\/(?![/\\])/);
    }
    expect([canaryConnections, opsConnections]).toEqual(before);
  });

  it.each(PREFIXES)('and a path that climbs below %j is a problem, status 400', async (prefix) => {
    for (const target of [
      '/../metrics',
      '/%2e%2e/metrics',
      '/..%5c..%5cx/y',
      '/%252e%252e/metrics/x',
      '/%252e%252e%252fx/y/z',
    ]) {
      const response = await get(prefix + target, 'Accept: text/html\r\n');
      expect(response, target).toMatch(/^HTTP\/1\.1 400 /);
      expect(response, target).toMatch(/\r\ncontent-type: application\/problem\+json/);
    }
  });
});

describe('absolute form', () => {
  it('is the path, whatever the host, with the same cached response', async () => {
    const { text, headers } = await request(site.origin)
      .get('/about')
      .set('accept-encoding', 'identity')
      .expect(200);
    const before = (await request(site.ops).get('/cache')).body.pages.entries;
    for (const host of ['x', elsewhere, ops, 'www.example.com:443', '[::1]']) {
      const response = await get(`http://${host}/about`);
      expect(response).toMatch(/^HTTP\/1\.1 200 /);
      expect(response).toContain(`\r\netag: ${headers['etag']}\r\n`);
      expect(Buffer.from(response.slice(response.indexOf('\r\n\r\n') + 4), 'latin1').toString()).toBe(text);
    }
    expect((await request(site.ops).get('/cache')).body.pages.entries).toBe(before);
  });

  it.each([
    ['/api/events?tab=past', 200],
    ['/feed.xml', 200],
    ['/healthz', 200],
    ['/media/nothing.jpg?width=100', 404],
    ['/api/nothing', 404],
  ])('reaches what the path reaches: %s', async (path, status) => {
    expect(statusesOf(await get(`http://x${path}`))).toEqual([status]);
  });

  it('reaches the API for posts too', async () => {
    const head =
      'Host: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}';
    const response = await rawRequest(site.origin, `POST http://x/api/subscriptions HTTP/1.1\r\n${head}`);
    expect(response).toContain('"errors":{"email":');
  });
});

it('a picture comes at the width that is asked for, and its path is all that a request chooses', async () => {
  const { text } = await request(site.origin).get('/').expect(200);
  const src = /src="(\/media\/[^"?]+\?width=\d+)"/.exec(text)?.[1] ?? '';
  const { headers } = await request(site.origin).get(src).expect(200);
  expect(headers['content-type']).toMatch(/^image\//);
  await request(site.origin).get(`${src}&path=/etc/passwd&width=9`).expect(200);
});

describe('a search term', () => {
  it.each(['..', '.', '../..', 'a/../b', '%2e%2e', '\\..\\', '50%', 'http://x/', '//x', '?a#b', 'a\\b'])(
    'may be %j',
    async (term) => {
      for (const prefix of ['', '/api']) {
        const [status] = statusesOf(await get(prefix + searchPath('all', term)));
        expect([200, 302]).toContain(status);
      }
    },
  );
});

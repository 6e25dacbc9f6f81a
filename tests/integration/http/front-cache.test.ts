import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { matchPath } from 'react-router';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pages } from '#client/routes.tsx';
import { oneInThree } from '../../matrix.ts';
import { pagePaths } from '../../page-paths.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { createLogLines } from './log-lines.ts';

/**
 * A cached response comes from the front cache or, for a request with a body or an unknown parameter, from Fastify: both
 * must be the same.
 */
let site: SiteUnderTest;
const log = createLogLines('info');
const PAGE_PATHS = pagePaths(pages);
const article = PAGE_PATHS.get('article') ?? '';

const Views = z.object({ views: z.array(z.object({ ipAddr: z.string() })) });
const longer = (path: string) => `${path}?utm_source=letter`;
/** Headers that differ between two requests. */
const OWN = ['x-request-id', 'cache-status', 'date'];

interface RawResponse {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: string;
}

/** Requests without decoding; leaves out headers that differ between requests. */
function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<RawResponse> {
  const { hostname, port } = new URL(site.origin);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: hostname, port, path, method, headers, agent: false },
      async (response) => {
        const own: Record<string, string> = Object.fromEntries(
          OWN.map((name) => [name, typeof response.headers[name]]),
        );
        // What is left of the first part's ttl: a second may end between two requests.
        const forCdn = response.headers['cdn-cache-control'];
        if (typeof forCdn === 'string') own['cdn-cache-control'] = forCdn.replace(/max-age=\d+/, 'max-age=n');
        const body = (await buffer(response)).toString('latin1');
        resolve({ status: response.statusCode, headers: { ...response.headers, ...own }, body });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** Fastify routes a request with a body, also an empty one. */
const byFastify = { 'content-length': '0' };

async function expectSame(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<RawResponse> {
  const front = await ask(path, headers, method);
  expect(await ask(path, { ...headers, ...byFastify }, method)).toEqual(front);
  return front;
}

async function start(env: Record<string, string> = {}): Promise<void> {
  site = await startSiteUnderTest({ TRUST_PROXY: '127.0.0.1', SITE_DIR, ...env }, { logger: log.logger });
  await request(site.origin).get(article).expect(200);
}

/** A page of the publisher's own, which the folder has. */
const SITE_DIR = join(import.meta.dirname, '../../../examples/site');
const OWN_PAGE = { name: 'impressum' };

/** Path parameters of each page's example. */
const PARAMETERS: Readonly<Record<string, string | undefined>>[] = [
  OWN_PAGE,
  ...pages.map(({ name, path }) => matchPath(path, PAGE_PATHS.get(name) ?? '')?.params ?? {}),
];

/** Returns an API path with the parameters of the page that has the same ones. */
function withParameters(template: string): string {
  const names = [...template.matchAll(/{(\w+)}/g)].map(([, name = '']) => name);
  const values = PARAMETERS.find((given) => Object.keys(given).sort().join() === names.toSorted().join());
  return template.replace(/{(\w+)}/g, (_, name) => values?.[name] ?? '');
}

const PATHS = [...PAGE_PATHS.values(), `/${OWN_PAGE.name}`, '/topic/news?page=2', '/events?tab=past'];

const REQUESTS: Record<string, string>[] = [
  {},
  ...['br', 'gzip', 'identity', 'gzip, br', 'br;q=0', '*', 'zstd', 'gzip;q=0.5, br;q=0.1'].map(
    (encoding) => ({
      'accept-encoding': encoding,
    }),
  ),
  { 'if-none-match': '*' },
  { 'if-none-match': '"another"' },
  { 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
  { range: 'bytes=0-10' },
  { accept: 'application/json' },
  { accept: 'text/html', 'sec-purpose': 'prefetch' },
  { connection: 'keep-alive' },
  { cookie: 'a=b', authorization: 'Bearer x', origin: 'https://evil.example', 'x-forwarded-for': 'none' },
  { host: 'other.example:8080' },
];

describe.each([
  ['without a CDN', {}],
  ['behind a CDN', { CDN: 'varnish', CDN_PURGE_URL: 'http://127.0.0.1:9' }],
])('a cached response %s', (_, env) => {
  beforeAll(() => start(env));
  afterAll(() => site.close());

  async function expectSameByBothWays(path: string, turn: number): Promise<void> {
    const { status, headers } = await ask(path, {});
    expect(status).toBe(path === PAGE_PATHS.get('not-found') ? 404 : 200);
    for (const asked of oneInThree(REQUESTS, turn % 3)) {
      await expectSame(path, asked);
      const { body } = await expectSame(path, asked, 'HEAD');
      expect(body).toBe('');
    }
    const unmodified = await expectSame(path, { 'if-none-match': String(headers['etag']) });
    expect(unmodified.status).toBe(status === 200 ? 304 : status);
    expect((await expectSame(`http://other.example${path}`, {})).status).toBe(status);
  }

  it.each(PATHS.map((path, turn) => [path, turn] as const))(
    'is the same by both ways, to the byte: %s',
    expectSameByBothWays,
  );

  it('is the same by both ways for every GET operation of the API', async () => {
    const { body } = await request(site.origin).get('/api/openapi.json').expect(200);
    const document = z
      .object({ paths: z.record(z.string(), z.object({ get: z.unknown().optional() })) })
      .parse(body);
    const reads = Object.keys(document.paths).filter((path) => document.paths[path]?.get !== undefined);
    expect(reads).toContain('/api/articles/{category}/{slug}');
    const paths = [...reads.map(withParameters), '/api/topics/news?page=2', '/api/events?tab=past&page=2'];
    for (const [turn, path] of paths.entries()) await expectSameByBothWays(path, turn);
  });
});

describe('a cached response', () => {
  beforeAll(() => start());
  afterAll(() => site.close());

  it('is the same under an address with a parameter that means nothing', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const asked = { 'accept-encoding': encoding };
      expect(await ask(longer(article), asked)).toEqual(await ask(article, asked));
    }
  });

  it('has its line in the log and its count in the metrics, each once', async () => {
    const counted = async () => {
      const text = await (await fetch(`${site.ops}/metrics`)).text();
      const line =
        /^http_requests_total\{route="\/:category\/:slug",method="GET",status="200"\} (\d+)$/m.exec(text);
      return Number(line?.[1] ?? 0);
    };
    const before = await counted();
    const { headers } = await request(site.origin).get(article).expect(200);
    const lines = () => log.of(headers['x-request-id']);
    await expect.poll(lines).toHaveLength(1);
    expect(lines()[0]).toMatchObject({
      'http.request.method': 'GET',
      'url.path': article,
      'http.response.status_code': 200,
    });
    expect(await counted()).toBe(before + 1);
  });

  it('counts a view for the address that a trusted proxy tells', async () => {
    const readers = ['9.9.9.9', '9.9.9.10'];
    await request(site.origin).get(article).set('x-forwarded-for', '9.9.9.9').expect(200);
    await request(site.origin).get(longer(article)).set('x-forwarded-for', '9.9.9.10').expect(200);
    const counted = async () => {
      const { views } = Views.parse(await (await fetch(`${site.demoCms}/demo-cms/views`)).json());
      return views.map(({ ipAddr }) => ipAddr).filter((ip) => readers.includes(ip));
    };
    await expect.poll(counted).toHaveLength(2);
    expect((await counted()).sort()).toEqual(readers.toSorted());
  });
});

describe('a reader’s limit', () => {
  it('is one for both ways, and each reader behind a trusted proxy has one', async () => {
    const limited = await startSiteUnderTest({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_READ: '4' });
    const statusOf = async (path: string, reader: string) =>
      (await request(limited.origin).get(path).set('x-forwarded-for', reader)).status;
    try {
      const paths = ['/about', '/about', longer('/about'), '/about', '/about', longer('/about')];
      const statuses: number[] = [];
      for (const path of paths) statuses.push(await statusOf(path, '9.9.9.9'));
      expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
      expect(await statusOf('/about', '9.9.9.10')).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

import { request as httpRequest } from 'node:http';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clockAhead } from '../../fixtures/clocks.ts';
import { INTERNAL_DETAILS } from '../internal-details.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { createLogLines } from './log-lines.ts';
import { rawRequest } from './raw-request.ts';

let site: SiteUnderTest;
const log = createLogLines('info');
let article: string;
let asset: string;
const clock = clockAhead();

const REQUIRED_HEADERS = {
  'content-security-policy': /default-src 'self';script-src 'self';/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^strict-origin-when-cross-origin$/,
  'permissions-policy': /camera=\(\)/,
  'cross-origin-opener-policy': /^same-origin-allow-popups$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'strict-transport-security': /max-age=\d{7,}/,
  'x-request-id': /^[\w-]{8,}$/,
} as const;

const get = (path: string) => request(site.origin).get(path).redirects(0);
const cacheOf = async () => (await request(site.ops).get('/cache')).body;

/** Sends a request target verbatim: other clients normalise it. */
function asSpelled(
  path: string,
  method = 'GET',
): Promise<{ status: number; location: string; text: string }> {
  const { hostname, port } = new URL(site.origin);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: hostname, port, path, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          location: String(response.headers.location ?? ''),
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

beforeAll(async () => {
  site = await startSiteUnderTest({}, { logger: log.logger, clock });
  const { top } = z
    .object({ top: z.array(z.object({ category: z.string(), slug: z.string() })).min(1) })
    .parse((await get('/api/home')).body);
  article = `/${top[0]?.category}/${top[0]?.slug}`;
  asset = /href="(\/assets\/[^"]+\.css)"/.exec((await get('/')).text)?.[1] ?? '';
});
afterAll(() => site.close());
beforeEach(() => site.faults([]));

function expectHeaders(what: string, headers: Record<string, unknown>): void {
  for (const [name, pattern] of Object.entries(REQUIRED_HEADERS))
    expect(String(headers[name]), `${name} of ${what}`).toMatch(pattern);
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('server');
}

describe('the security headers', () => {
  it('are whole on every status and type', async () => {
    const etag = (await get('/')).headers['etag'] ?? '';
    const responses = {
      page: await get('/').expect(200),
      unmodified: await get('/').set('if-none-match', etag).expect(304),
      'not found': await get('/no/such/page').expect(404),
      redirect: await get('/topic/no-such-topic').expect(302),
      data: await get('/api/home').expect(200),
      'missing data': await get('/api/articles/news/no-such-article').expect(404),
      problem: await get('/api/nothing').expect(404),
      sitemap: await get('/sitemap.xml').expect(200),
      robots: await get('/robots.txt').expect(200),
      manifest: await get('/manifest.webmanifest').expect(200),
      description: await get('/api/openapi.json').expect(200),
      asset: await get(asset).expect(200),
      'missing asset': await get('/assets/no-such.js').expect(404),
      health: await get('/healthz').expect(200),
      readiness: await get('/readyz').expect(200),
      method: await request(site.origin).delete('/').expect(405),
      options: await request(site.origin).options('/').expect(204),
      'bad target': await get('/a/../b').expect(400),
      'bad address': await get('/%zz'),
      'bad body': await request(site.origin).post('/api/subscriptions').send({ email: '' }).expect(400),
      'other type': await request(site.origin)
        .post('/api/subscriptions')
        .type('text/plain')
        .send('x')
        .expect(415),
      'other site': await request(site.origin)
        .post('/api/subscriptions')
        .set('origin', 'https://evil.example')
        .send({ email: 'a@example.com' })
        .expect(403),
      'too large': await request(site.origin)
        .post('/api/subscriptions')
        .send({ email: 'a'.repeat(20_000) })
        .expect(413),
    };
    for (const [what, { headers }] of Object.entries(responses)) expectHeaders(what, headers);
  });

  it('are whole on a page that is not available, and for a reader who asks too often', async () => {
    const own = await startSiteUnderTest({ RATE_LIMIT_READ: '2' });
    try {
      await own.faults([{ path: '/api/*', kind: 'status', status: 500 }]);
      expectHeaders('503', (await request(own.origin).get('/events').expect(503)).headers);
      await request(own.origin).get('/about');
      const { headers, text } = await request(own.origin).get('/about').expect(429);
      expectHeaders('429', headers);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(text).not.toMatch(INTERNAL_DETAILS);
    } finally {
      await own.close();
    }
  });
});

describe('a page’s bytes', () => {
  const SWEEP: [string, string][] = [
    ['host', 'evil.example'],
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'gopher'],
    ['x-forwarded-port', '1'],
    ['x-forwarded-prefix', '/evil'],
    ['x-forwarded-for', '6.6.6.6'],
    ['forwarded', 'host=evil.example;proto=http'],
    ['x-original-url', '/admin'],
    ['x-rewrite-url', '/admin'],
    ['x-http-method-override', 'DELETE'],
    ['x-host', 'evil.example'],
    ['accept', 'application/json'],
    ['accept-language', 'de, fr;q=0.5'],
    ['cookie', 'session=1; theme=dark'],
    ['authorization', 'Bearer evil'],
    ['origin', 'https://evil.example'],
    ['referer', 'https://evil.example/'],
    ['user-agent', '<script>alert(1)</script>'],
    ['range', 'bytes=0-10'],
    ['if-modified-since', 'Thu, 01 Jan 2099 00:00:00 GMT'],
    ['cache-control', 'no-cache'],
    ['pragma', 'no-cache'],
    ['save-data', 'on'],
    ['purpose', 'prefetch'],
    ['x-request-id', 'evil'],
  ];

  it('hang on no header of the request', async () => {
    for (const path of ['/', article, '/api/home', '/feed.xml']) {
      const plain = await get(path).set('accept-encoding', 'identity').expect(200);
      for (const [name, value] of SWEEP) {
        const response = await get(path).set('accept-encoding', 'identity').set(name, value);
        expect(response.status, `${path} with ${name}`).toBe(200);
        expect(response.headers['etag'], `${path} with ${name}`).toBe(plain.headers['etag']);
        expect(response.text ?? '', `${path} with ${name}`).toBe(plain.text ?? '');
      }
    }
  });
});

describe('noise', () => {
  it('in the query adds no entry to the cache', async () => {
    await get('/topic/news').expect(200);
    const before = await cacheOf();
    for (let i = 0; i < 50; i++)
      await get(`/topic/news?utm_source=${i}&fbclid=${i}&x%5B%5D=${i}&page=${i % 2 ? '01x' : '-1'}`).expect(
        200,
      );
    const after = await cacheOf();
    expect(after.pages.entries).toBe(before.pages.entries);
    expect(after.topic.entries).toBe(before.topic.entries);
  });

  const SCANNED = [
    '/wp-login.php',
    '/wp-admin/setup-config.php',
    '/wp-content/plugins',
    '/wp-includes/wlwmanifest.xml',
    '/xmlrpc.php',
    '/.env',
    '/.git/config',
    '/.aws/credentials',
    '/.well-known/nothing',
    '/cgi-bin/luci',
    '/phpmyadmin/index.php',
    '/vendor/phpunit',
    '/admin/login.aspx',
    '/actuator/env',
    '/server-status',
    '/backup.sql',
    '/solr/admin',
    '/console/login.jsp',
    '/owa/auth',
    '/etc/passwd',
    '/boaform/admin',
  ];

  it('of scanners is not found, asks the upstream nothing and evicts nothing', async () => {
    const own = await startSiteUnderTest();
    try {
      await request(own.origin).get('/').expect(200);
      await request(own.origin).get('/404').expect(404);
      const entries = async () => (await request(own.ops).get('/cache')).body.pages.entries;
      const before = await entries();
      await own.forgetCalls();
      for (const path of SCANNED) {
        const { text } = await request(own.origin).get(path).expect(404);
        expect(text).not.toMatch(INTERNAL_DETAILS);
      }
      const reads = Object.keys(await own.calls()).filter((call) => call.startsWith('GET /api/'));
      expect(reads).toEqual([]);
      expect(await entries()).toBe(before);
    } finally {
      await own.close();
    }
  });
});

describe('a confusing address', () => {
  const CONFUSING = [
    '//evil.example/',
    '//evil.example/%2f..',
    '///',
    '/\\evil.example',
    '/%5cevil.example',
    '/./',
    '/../../etc/passwd',
    '/..;/manager/html',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/%252e%252e%252fetc%252fpasswd',
    '/news/%00',
    '/%00',
    '/news/%0d%0aSet-Cookie:x=1',
    '/topic/%0d%0aLocation:%20https:%2f%2fevil.example',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/media/..%2f..%2fpackage.json',
    '/media/http:%2f%2fevil.example%2fx',
    '/__proto__',
    '/constructor/prototype',
    '/toString/valueOf',
    '/topic/__proto__',
    '/topic/constructor?page=__proto__',
    '/tag/toString',
    '/tag/hasOwnProperty',
    '/events/__proto__?tab=constructor&page=toString',
    '/search/__proto__/constructor',
    '/api/tags/__proto__',
    '/api/topics/constructor?page=toString',
    '/api/events?tab=__proto__',
    '/api/articles/__proto__/constructor',
    '/api/search/toString/__proto__',
    `/${'a'.repeat(6_000)}`,
    `/news/${'%41'.repeat(2_000)}`,
    `/?${'a=b&'.repeat(3_000)}`,
    '/search/all/%F0%9F%92%A9',
    '/search/all/%FF%FE',
    '/news/%E2%80%AEtxt',
    '/*',
    '/?page[]=1&page[__proto__]=2',
  ];

  it.each(CONFUSING.map((path) => [path.slice(0, 60), path]))(
    '%s gets a response that is neither an error of ours nor a way to another site',
    async (_start, path) => {
      const spelled = await asSpelled(path);
      expect(spelled.location).toMatch(/^$|^\/(?!\/|\\)/);
      // Another spelling of a path: its response counts.
      const { status, location, text } = spelled.status === 308 ? await asSpelled(spelled.location) : spelled;
      expect([200, 302, 400, 403, 404, 414]).toContain(status);
      expect(location).toMatch(/^$|^\/(?!\/|\\)/);
      expect(text).not.toMatch(INTERNAL_DETAILS);
      expect(text).not.toContain('"dependencies"');
      expect(text).not.toContain('root:');
    },
  );

  it.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])('with %s is not taken', async (method) => {
    for (const path of ['/', article, '/api/home', '/assets/x.js', '/feed.xml']) {
      const { status, text } = await asSpelled(path, method);
      expect(status).toBe(405);
      expect(text).not.toMatch(INTERNAL_DETAILS);
    }
  });
});

describe('a malformed message', () => {
  const BODY = 'email=a%40example.com';
  const HEAD = 'POST /api/subscriptions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
  const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';
  const MALFORMED = {
    'two lengths': `${HEAD}${FORM}Content-Length: ${BODY.length}\r\nContent-Length: 0\r\n\r\n${BODY}`,
    'a length and chunks': `${HEAD}${FORM}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`,
    'an unknown transfer coding': `${HEAD}${FORM}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    'a folded header': 'GET / HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n folded\r\nConnection: close\r\n\r\n',
    'a space before the colon': 'GET / HTTP/1.1\r\nHost : x\r\nConnection: close\r\n\r\n',
    'a bare line feed in a header':
      'GET / HTTP/1.1\r\nHost: x\r\nX-A: 1\nX-B: 2\r\nConnection: close\r\n\r\n',
    'a NUL in a header': 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\nConnection: close\r\n\r\n',
    'a chunk of a bad size': `${HEAD}${FORM}Transfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n`,
    'headers of 100 KiB': `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`,
    'no protocol at all': 'hello\r\n\r\n',
  };

  it.each(Object.entries(MALFORMED))(
    'with %s is refused once, and its connection closed',
    async (_what, bytes) => {
      const response = await rawRequest(site.origin, bytes);
      expect(response.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
      expect(response).toMatch(/^HTTP\/1\.1 (400|431)/);
      expect(response).toMatch(/content-type: application\/problem\+json/i);
      const headers = Object.fromEntries(
        [...response.matchAll(/^([\w-]+): (.*)\r$/gm)].map(([, name = '', value]) => [
          name.toLowerCase(),
          value,
        ]),
      );
      expectHeaders('a malformed message', headers);
      expect(response).not.toMatch(INTERNAL_DETAILS);
    },
  );
});

describe('what readers send', () => {
  const CANARY = 'canary7f3a';
  const valid = {
    firstName: `Canary ${CANARY}`,
    lastName: 'Example',
    email: `${CANARY}@example.com`,
    phone: '+1 202-555-0188',
    message: `A message, ${CANARY}.`,
    optIn: true,
  };
  const post = (path: string, body: object) => request(site.origin).post(path).send(body);

  it.each(['firstName', 'lastName', 'email', 'phone'])('has no control characters in %s', async (field) => {
    for (const sign of ['\r\nBcc: x@evil.example', '\0', '\u001b[31m', '\u2028']) {
      const { body } = await post('/api/contact-messages', { ...valid, [field]: `a${sign}` }).expect(400);
      expect(Object.keys(body.errors)).toContain(field);
    }
    await post('/api/subscriptions', { email: 'a@example.com\r\nBcc: x@evil.example' }).expect(400);
  });

  it('may name what objects inherit without harm', async () => {
    const poisoned =
      '{"email":"a@example.com","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const { status } = await request(site.origin).post('/api/subscriptions').type('json').send(poisoned);
    expect([201, 400]).toContain(status);
    expect({}).not.toHaveProperty('polluted');
  });

  it('is in no log, whatever becomes of it', async () => {
    await post('/api/contact-messages', valid).expect(201);
    await post('/api/contact-messages', { ...valid, phone: CANARY }).expect(400);
    await site.faults([{ path: '/api/*', kind: 'status', status: 500 }]);
    await post('/api/opt-outs', valid).expect(502);
    await post('/api/subscriptions', { email: `${CANARY}@example.com` }).expect(502);
    await get(`/search/all/${CANARY}?q=${CANARY}`).set('user-agent', CANARY).set('x-forwarded-for', CANARY);
    expect(log.text()).not.toBe('');
    expect(log.text()).not.toContain(CANARY);
    for (const line of log.text().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });
});

it.each([
  ['/about', 200],
  ['/about?by=fastify', 200],
  ['/no/such/page', 404],
  ['/%zz', 400],
  ['/%00', 400],
])('a request is one line of the log, with the id of its response: %s', async (path, status) => {
  // Refusals of one kind have a line a second.
  clock.monotonicAheadMs += 1_001;
  const { headers } = await get(path).expect(status);
  const lines = () => log.of(headers['x-request-id']);
  await expect.poll(lines).toHaveLength(1);
  expect(lines()).toEqual([
    expect.objectContaining({
      reqId: headers['x-request-id'],
      'http.request.method': 'GET',
      'url.path': path.split('?')[0],
      'http.response.status_code': status,
    }),
  ]);
});

it.each(['/about?by=fastify', '/api/home?by=fastify', '/feed.xml', '/nowhere'])(
  'LOG_SAMPLE leaves out a cache hit, whichever way it is served: %s',
  async (path) => {
    const lines = createLogLines('info');
    const own = await startSiteUnderTest({ LOG_SAMPLE: '0' }, { logger: lines.logger });
    try {
      await request(own.origin).get(path);
      const hit = await request(own.origin).get(path);
      expect(hit.headers['cache-status']).toContain('; hit');
      const later = await request(own.origin).get('/api/nothing');
      await expect.poll(() => lines.of(later.headers['x-request-id'])).toHaveLength(1);
      expect(lines.of(hit.headers['x-request-id'])).toEqual([]);
    } finally {
      await own.close();
    }
  },
);

describe('a reader’s limit', () => {
  it('is not escaped by a forged address, and reads are counted apart from writes', async () => {
    const own = await startSiteUnderTest({ RATE_LIMIT_WRITE: '2', RATE_LIMIT_READ: '3' });
    try {
      const send = (i: number) =>
        request(own.origin)
          .post('/api/subscriptions')
          .set('x-forwarded-for', `203.0.113.${i}`)
          .set('forwarded', `for=203.0.113.${i}`)
          .set('x-real-ip', `203.0.113.${i}`)
          .send({ email: `reader-${i}@example.com` });
      const writes = [(await send(1)).status, (await send(2)).status, (await send(3)).status];
      expect(writes).toEqual([201, 201, 429]);
      await request(own.origin).get('/about').expect(200);
    } finally {
      await own.close();
    }
  });
});

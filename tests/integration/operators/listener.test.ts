import { request as httpRequest } from 'node:http';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InstancesResponse } from '#shared/models/ops/instances-schemas.ts';
import * as schemas from '#shared/models/ops/ops-schemas.ts';
import { AdviceResponse, SimulateResponse } from '#shared/models/ops/simulation-schemas.ts';
import { rawRequest } from '../http/raw-request.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

/** What the operators' listener is and what it rejects: nothing here changes the site. */
const TOKEN = 'a-token-of-the-operators';
const PURGE_TOKEN = 'a-token-that-purges';
const READ_TOKEN = 'a-token-that-may-only-read';

let site: SiteUnderTest;
beforeAll(async () => {
  site = await startSiteUnderTest();
});
afterAll(() => site.close());

const page = (path: string) => request(site.origin).get(path);
const ops = () => request(site.ops);

describe('the TTL simulator', () => {
  it.each([
    'resource=nothing&ttl=30',
    'resource=article',
    'resource=article&ttl=soon',
    'resource=article&ttl=-1',
    'resource=article&ttl=1&swr=',
    'resource=article&ttl=1&swr=1e3',
  ])('rejects %s', async (query) => {
    const { status, type } = await ops().get(`/cache/simulate?${query}`);
    expect(status).toBe(query.includes('nothing') ? 404 : 400);
    expect(type).toBe('application/problem+json');
  });

  it.each(['staleSeconds=old', 'staleSeconds=-1', 'staleSeconds=', 'staleSeconds=0x10', 'goal=cheap'])(
    'has no advice for "%s"',
    async (query) => {
      await ops()
        .get(`/cache/advice?${query}`)
        .expect(400)
        .expect('content-type', /problem\+json/);
    },
  );
});

describe('policies', () => {
  it.each([
    [{ ttl: -1 }, 'ttl'],
    [{ ttl: 1.5 }, 'ttl'],
    [{ swr: 31_536_001 }, 'swr'],
    [{ sie: '60' }, 'sie'],
    [{ ttl: 5, tll: 5 }, 'tll'],
    [{}, 'request'],
    [[], 'request'],
  ])('reject %j and name the invalid field', async (change, field) => {
    const { body } = await ops()
      .patch('/cache/policies/article')
      .send(change)
      .expect(400)
      .expect('content-type', /application\/problem\+json/);
    expect(Object.keys(body.errors)).toContain(field);
    expect((await ops().get('/cache/policies')).body.article.changed).toBe(false);
  });

  it('reject an unknown resource, whatever its name', async () => {
    for (const name of ['articles', '__proto__', 'ARTICLE', 'constructor']) {
      const { body } = await ops().patch(`/cache/policies/${name}`).send({ ttl: 5 }).expect(404);
      expect(body).toMatchObject({ status: 404, title: 'Not Found' });
    }
  });
});

describe('a purge', () => {
  it.each([
    {},
    { all: false },
    { tags: [] },
    { soft: true },
    { tags: 'ads' },
    { pages: ['https://elsewhere.example/'] },
    { pages: ['//elsewhere.example/'] },
    { all: true, hard: true },
  ])('rejects %j', async (purge) => {
    await page('/about').expect(200);
    await ops()
      .post('/cache/purge')
      .send(purge)
      .expect(400)
      .expect('content-type', /application\/problem\+json/);
    expect((await page('/about')).headers['cache-status']).toMatch(/^page; hit; ttl=\d+$/);
  });

  it('names the page that is none', async () => {
    for (const bad of ['//elsewhere.example/', 'about', '']) {
      const { body } = await ops()
        .post('/cache/purge')
        .send({ pages: ['/about', bad] })
        .expect(400);
      expect(body.errors).toEqual({ 'pages.1': 'A path, which starts with one slash.' });
    }
  });
});

describe('the cache inspector', () => {
  it.each([{}, { url: '' }, { url: 'https://elsewhere.example/' }, { url: '/', extra: '1' }])(
    'rejects %j',
    async (query) => {
      await ops()
        .get('/cache/explain')
        .query(query)
        .expect(400)
        .expect('content-type', /application\/problem\+json/);
    },
  );
});

describe('a mode', () => {
  it.each([
    {},
    { mode: 'off' },
    { mode: 'freeze', forSeconds: 0 },
    { mode: 'freeze', forSeconds: 86_401 },
    { mode: 'normal', ttlFactor: 0.01 },
    { mode: 'normal', ttlFactor: 1_001 },
    { mode: 'freeze', forSecond: 5 },
  ])('is rejected as %j', async (mode) => {
    await ops()
      .patch('/cache/mode')
      .send(mode)
      .expect(400)
      .expect('content-type', /application\/problem\+json/);
    expect((await ops().get('/cache/mode')).body.mode).toBe('normal');
  });
});

describe('the outbox', () => {
  it.each(['999999', '0', '-1', 'x', '1.5', '9'.repeat(40)])('has no message %s', async (id) => {
    const { body } = await ops().post(`/outbox/${id}/retry`).expect(404);
    expect(body).toMatchObject({ status: 404, title: 'Not Found' });
  });
});

describe('the listener', () => {
  it('describes itself', async () => {
    const { body } = await ops().get('/openapi.json').expect(200);
    const Paths = z.object({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) });
    expect(Object.keys(Paths.parse(body).paths).sort()).toEqual([
      '/cache',
      '/cache/advice',
      '/cache/explain',
      '/cache/mode',
      '/cache/policies',
      '/cache/policies/{resource}',
      '/cache/purge',
      '/cache/simulate',
      '/changes',
      '/instances',
      '/live',
      '/metrics',
      '/metrics-history',
      '/outbox',
      '/outbox/retry',
      '/outbox/{id}',
      '/outbox/{id}/retry',
      '/session',
    ]);
  });

  it.each<[string, z.ZodType]>([
    ['/cache', schemas.CacheResponse],
    ['/cache/policies', schemas.PoliciesResponse],
    ['/cache/mode', schemas.ModeResponse],
    ['/cache/explain?url=/topic/news', schemas.ExplainResponse],
    ['/cache/explain?url=/topic/news%3Fpage=999', schemas.ExplainResponse],
    ['/cache/explain?url=topic/news//1/10', schemas.ExplainResponse],
    ['/cache/simulate?resource=topic&ttl=30', SimulateResponse],
    ['/cache/advice', AdviceResponse],
    ['/changes', schemas.ChangesResponse],
    ['/instances', InstancesResponse],
    ['/metrics-history', schemas.MetricsHistoryResponse],
    ['/outbox', schemas.OutboxResponse],
    ['/session', schemas.SessionResponse],
  ])('responds to %s with the fields of its schema and no others', async (path, schema) => {
    await page('/topic/news').expect(200);
    await page('/topic/news?page=999').expect(302);
    const { body } = await ops().get(path).expect(200);
    expect(schema.parse(body)).toEqual(body);
  });

  it('responds to unknown paths with problem details, no-store and the security headers', async () => {
    const { headers, body } = await ops()
      .get('/nothing')
      .set('accept', 'text/html')
      .expect(404)
      .expect('content-type', /application\/problem\+json/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['x-request-id']).toBeTruthy();
    expect(body).toMatchObject({ status: 404 });
  });

  it('responds so to paths that are not UTF-8', async () => {
    const response = await rawRequest(
      site.ops,
      `GET /%ED%A0%80 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    for (const header of ['cache-control: no-store', 'x-content-type-options: nosniff', 'x-request-id: '])
      expect(response).toContain(`\r\n${header}`);
  });

  it.each([
    ['DELETE /cache/policies/topic', 200],
    ['POST /outbox/no-message-has-this-key/retry', 404],
    ['POST /cache/purge', 400],
    ['PUT /nothing', 404],
  ])('responds to %s with a media type and no body', async (line, status) => {
    for (const length of ['', 'Content-Length: 0\r\n'])
      expect(
        await rawRequest(
          site.ops,
          `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${length}Connection: close\r\n\r\n`,
        ),
      ).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it.each([
    ['broken JSON', 'application/json', '{"mode":', 400],
    ['a form', 'application/x-www-form-urlencoded', 'mode=freeze', 415],
    ['plain text', 'text/plain', '{"mode":"freeze"}', 415],
  ])('rejects %s', async (_name, type, body, status) => {
    const sent = ops().patch('/cache/mode').set('content-type', type).send(body);
    await sent.expect(status).expect('content-type', /application\/problem\+json/);
  });

  /** supertest's agent sets the Host header itself. */
  function statusFor(host: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      httpRequest(`${site.ops}/cache/mode`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  }

  it.each([
    ['localhost:3001', 200],
    ['127.0.0.1:3001', 200],
    ['[::1]:3001', 200],
    ['ops.attacker.example', 403],
    ['127.0.0.1.attacker.example:3001', 403],
    ['localhost.attacker.example', 403],
  ])('without a token responds to Host %s with %i', async (host, status) => {
    expect(await statusFor(host)).toBe(status);
  });

  it('rejects requests of other sites’ pages', async () => {
    for (const from of ['cross-site', 'same-site'])
      await ops().get('/cache').set('sec-fetch-site', from).expect(403);
    await ops()
      .post('/cache/purge')
      .set('origin', 'https://attacker.example')
      .send({ all: true })
      .expect(403);
    for (const from of ['same-origin', 'none'])
      await ops().get('/cache').set('sec-fetch-site', from).expect(200);
    await ops().patch('/cache/mode').set('origin', site.ops).send({ mode: 'normal' }).expect(200);
  });
});

describe('the listener with a token', () => {
  let guarded: SiteUnderTest;
  beforeAll(async () => {
    guarded = await startSiteUnderTest({
      OPS_TOKEN: TOKEN,
      OPS_READ_TOKEN: READ_TOKEN,
      OPS_PURGE_TOKEN: PURGE_TOKEN,
    });
  });
  afterAll(() => guarded.close());

  it.each([
    undefined,
    'Bearer',
    'Bearer wrong',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Basic ${TOKEN}`,
    TOKEN,
  ])('rejects %s at every call', async (authorization) => {
    for (const path of ['/cache', '/metrics', '/openapi.json', '/nothing']) {
      const call = request(guarded.ops).get(path);
      if (authorization !== undefined) call.set('authorization', authorization);
      const { headers, body } = await call.expect(401).expect('content-type', /application\/problem\+json/);
      expect(headers['www-authenticate']).toBe('Bearer');
      expect(body).toMatchObject({ status: 401, title: 'Unauthorized' });
    }
  });

  it('accepts the token', async () => {
    await request(guarded.ops).get('/cache').set('authorization', `Bearer ${TOKEN}`).expect(200);
    await request(guarded.ops).get('/metrics').set('authorization', `bearer ${TOKEN}`).expect(200);
  });

  it('lets the read-only token read, and change nothing', async () => {
    const authorization = `Bearer ${READ_TOKEN}`;
    for (const path of ['/cache', '/metrics', '/cache/mode', '/outbox'])
      await request(guarded.ops).get(path).set('authorization', authorization).expect(200);
    const { body: session } = await request(guarded.ops).get('/session').set('authorization', authorization);
    expect(session).toEqual({ role: 'reader', token: 'OPS_READ_TOKEN' });
    const changes = [
      request(guarded.ops).patch('/cache/policies/topic').send({ ttl: 1 }),
      request(guarded.ops).delete('/cache/policies/topic'),
      request(guarded.ops).patch('/cache/mode').send({ mode: 'freeze' }),
      request(guarded.ops).post('/cache/purge').send({ all: true }),
      request(guarded.ops).post('/outbox/1/retry'),
    ];
    for (const change of changes) {
      const { body } = await change.set('authorization', authorization).expect(403);
      expect(body).toMatchObject({ status: 403, title: 'Forbidden' });
    }
    await request(guarded.ops)
      .patch('/cache/mode')
      .set('authorization', `Bearer ${TOKEN}`)
      .send({ mode: 'normal' })
      .expect(200);
  });

  it('lets the purge token purge, and nothing else', async () => {
    const authorization = `Bearer ${PURGE_TOKEN}`;
    const purge = request(guarded.ops).post('/cache/purge').set('authorization', authorization);
    await purge.send({ tags: ['topic'] }).expect(200);
    const calls = [
      request(guarded.ops).get('/cache'),
      request(guarded.ops).get('/metrics'),
      request(guarded.ops).get('/session'),
      request(guarded.ops).get('/outbox'),
      request(guarded.ops).get('/cache/purge'),
      request(guarded.ops).patch('/cache/mode').send({ mode: 'freeze' }),
      request(guarded.ops).delete('/cache/policies/topic'),
    ];
    for (const call of calls) await call.set('authorization', authorization).expect(403);
    const { body } = await request(guarded.ops).get('/changes').set('authorization', `Bearer ${TOKEN}`);
    expect(body.changes[0]).toMatchObject({ what: 'purge', who: 'OPS_PURGE_TOKEN' });
  });

  it('lets no token have all streams of the live view', async () => {
    const ends = new AbortController();
    const open = (token: string) =>
      fetch(`${guarded.ops}/live`, { headers: { authorization: `Bearer ${token}` }, signal: ends.signal });
    try {
      const statuses = [];
      for (let nth = 0; nth < 7; nth++) statuses.push((await open(READ_TOKEN)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 503]);
      expect((await open(TOKEN)).status).toBe(200);
    } finally {
      ends.abort();
    }
  });
});

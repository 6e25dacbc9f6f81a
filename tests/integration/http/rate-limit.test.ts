import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clockAhead } from '../../fixtures/clocks.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { rawRequest } from './raw-request.ts';

/** Rate limits of the three buckets over HTTP. A trusted proxy tells the clients apart. */
const LIMITS = { RATE_LIMIT_READ: '3', RATE_LIMIT_WRITE: '3', RATE_LIMIT_BEACON: '3' };
const DEFAULTS = { RATE_LIMIT_READ: '1200', RATE_LIMIT_WRITE: '20', RATE_LIMIT_BEACON: '600' };
const NONE = { RATE_LIMIT_READ: '0', RATE_LIMIT_WRITE: '0', RATE_LIMIT_BEACON: '0' };

const clock = clockAhead();
const sites: SiteUnderTest[] = [];
/** Origins of the sites with `LIMITS`, with `DEFAULTS`, and with `LIMITS` and a site folder. */
let origin: string;
let usual: string;
let withSiteFolder: string;

/** Starts a site. Resolves to its origin. */
async function start(env: Record<string, string>): Promise<string> {
  const site = await startSiteUnderTest({ TRUST_PROXY: '127.0.0.1', ...env }, { clock });
  sites.push(site);
  return site.origin;
}

beforeAll(async () => {
  origin = await start(LIMITS);
  usual = await start(DEFAULTS);
  withSiteFolder = await start({ ...LIMITS, SITE_DIR: 'examples/site' });
});
afterAll(() => Promise.all(sites.map((site) => site.close())));

let clients = 0;
/** Two clients that no other test has. */
let one: string;
let other: string;
beforeEach(() => {
  one = `203.0.113.${++clients}`;
  other = `203.0.113.${++clients}`;
});

const get = (path: string, ip = one, from = origin) =>
  request(from).get(path).set('x-forwarded-for', ip).redirects(0);
const post = (path: string, body: object, ip = one, to = origin) =>
  request(to).post(path).set('x-forwarded-for', ip).send(body);

const subscribe = (ip = one, to = origin) => post('/api/subscriptions', { email: 'no address' }, ip, to);
const sendView = (ip = one, to = origin) => post('/api/views', { postId: 1 }, ip, to);
const sendWebVitals = (ip = one, to = origin) =>
  post('/api/vitals', { route: '/', width: 'wide', lcp: 900, inp: 20, cls: 0, failedChunks: 0 }, ip, to);

async function statusesOf(times: number, send: () => request.Test): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await send()).status);
  return statuses;
}

describe('three buckets never touch', () => {
  it('a reader of thirty articles, whose pages report views and Web Vitals, can still subscribe', async () => {
    for (let article = 0; article < 30; article++) {
      await get('/about', one, usual).expect(200);
      await sendView(one, usual).expect(202);
      await sendWebVitals(one, usual).expect(204);
    }
    await post('/api/subscriptions', { email: 'reader@example.com' }, one, usual).expect(201);
  });

  it.each(['read', 'write', 'beacon'])('one that is used up leaves the others: %s', async (usedUp) => {
    const send = { read: () => get('/robots.txt'), write: () => subscribe(), beacon: () => sendView() };
    const accepted = { read: 200, write: 400, beacon: 202 };
    for (const [bucket, sendOne] of Object.entries(send))
      if (bucket === usedUp) expect((await statusesOf(5, sendOne)).slice(3)).toEqual([429, 429]);
    for (const bucket of ['read', 'write', 'beacon'] as const)
      if (bucket !== usedUp)
        expect(await statusesOf(3, send[bucket])).toEqual(Array(3).fill(accepted[bucket]));
  });

  it('all beacons share one', async () => {
    const statuses = [
      ...(await statusesOf(2, () => sendView())),
      ...(await statusesOf(2, () => sendWebVitals())),
    ];
    expect(statuses).toEqual([202, 202, 204, 429]);
  });

  it('all forms share one', async () => {
    const paths = ['/api/subscriptions', '/api/contact-messages', '/api/opt-outs', '/api/subscriptions'];
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await post(path, {})).status);
    expect(statuses).toEqual([400, 400, 400, 429]);
  });

  it('0 turns each off', async () => {
    const unlimited = await start(NONE);
    const sent = [
      () => get('/about', one, unlimited),
      () => get('/robots.txt', one, unlimited),
      () => subscribe(one, unlimited),
      () => sendView(one, unlimited),
    ];
    for (const send of sent) expect(await statusesOf(30, send)).not.toContain(429);
    expect((await subscribe(one, unlimited)).headers).not.toHaveProperty('ratelimit-limit');
  });
});

describe('a read', () => {
  it.each([
    ['a page', 'GET', '/about'],
    ['a page that is not there', 'GET', '/nothing/at/all'],
    ['an API call', 'GET', '/api/navigation'],
    ['an unknown API call', 'GET', '/api/nothing'],
    ['a feed', 'GET', '/feed.xml'],
    ['a site file', 'GET', '/robots.txt'],
    ['an asset that is not there', 'GET', '/assets/nothing.js'],
    ['HEAD', 'HEAD', '/about'],
    ['a method that a page does not take', 'POST', '/about'],
    ['a method that a form does not take', 'GET', '/api/subscriptions'],
    ['a path that no route takes', 'PUT', '/nothing'],
    ['an address that cannot be decoded', 'GET', '/%zz'],
    ['an address that is too long', 'GET', `/events/${'x'.repeat(600)}`],
  ])('is %s', async (_what, method, path) => {
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { status } = await fetch(origin + path, {
        method,
        headers: { 'x-forwarded-for': one },
        redirect: 'manual',
      });
      statuses.push(status);
    }
    expect(statuses.slice(0, 3)).not.toContain(429);
    expect(statuses.slice(3)).toEqual([429, 429]);
    await get('/about').expect(429);
    await get('/about', other).expect(200);
  });

  it('is a file of the build', async () => {
    const [, asset = ''] = /src="(\/assets\/[^"]+)"/.exec((await get('/about', other)).text) ?? [];
    expect(await statusesOf(5, () => get(asset))).toEqual([200, 200, 200, 429, 429]);
  });

  it.each([
    ['a file of the site folder', '/ads.txt', 200],
    ['a redirect of the site folder', '/kontakt', 301],
    ['what the site folder says is gone', '/gewinnspiel', 410],
    ['a method that a file of the site folder does not take', '/ads.txt', 405],
  ])('is %s', async (_what, path, status) => {
    const send = () =>
      request(withSiteFolder)[status === 405 ? 'post' : 'get'](path).set('x-forwarded-for', one).redirects(0);
    expect(await statusesOf(5, send)).toEqual([status, status, status, 429, 429]);
  });

  it('is not what is refused before any route sees it, which has a limit of its own', async () => {
    const ask = (head: string) =>
      rawRequest(
        origin,
        `${head} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${one}\r\nConnection: close\r\n\r\n`,
      );
    const statuses: string[] = [];
    for (const head of ['OPTIONS *', 'GET /../evil', 'GET /%2e%2e/x', 'OPTIONS *', 'GET /../evil'])
      statuses.push((await ask(head)).slice(9, 12));
    expect(statuses).toEqual(['204', '400', '400', '429', '429']);
    await get('/about').expect(200);
  });

  it('is no look at the server’s health', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(await statusesOf(5, () => get(path))).toEqual(Array(5).fill(200));
    await get('/about').expect(200);
  });

  it('that is allowed says nothing about the rate limit, since it may be cached', async () => {
    for (const path of ['/about', '/robots.txt', '/api/navigation', '/about']) {
      const { headers } = await get(path, one, usual).expect(200);
      expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    }
  });
});

describe('a client', () => {
  it('is an IPv6 /64', async () => {
    const same = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:DB8:1:2:0:0:0:3', '2001:db8:1:2::1'];
    const statuses: number[] = [];
    for (const ip of same) statuses.push((await get('/about', ip)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    await get('/about', '2001:db8:1:3::1').expect(200);
  });

  it('is an IPv4 address, also where IPv6 writes it', async () => {
    const statuses: number[] = [];
    for (const ip of ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '192.0.2.7'])
      statuses.push((await get('/about', ip)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    await get('/about', '::ffff:192.0.2.8').expect(200);
  });

  it('has its limit to itself', async () => {
    for (let i = 0; i < 5; i++) await Promise.all([get('/about'), subscribe(), sendView()]);
    await get('/about', other).expect(200);
    await subscribe(other).expect(400);
    await sendView(other).expect(202);
  });

  it('that keeps asking is let in again when its minute ends', async () => {
    for (let minute = 0; minute < 3; minute++) {
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++)
        // The unknown parameter makes Fastify route the request instead of the front cache.
        for (const path of ['/about', '/about?utm_source=letter']) statuses.push((await get(path)).status);
      expect(statuses).toEqual([200, 200, 200, ...Array(7).fill(429)]);
      clock.monotonicAheadMs += 60_000;
    }
  });
});

describe('a connection', () => {
  it('ends after ten refusals in a row', async () => {
    await statusesOf(3, () => get('/about'));
    const received = await rawRequest(
      origin,
      `GET /about HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${one}\r\n\r\n`.repeat(30),
    );
    expect(received.match(/HTTP\/1\.1 429/g)).toHaveLength(10);
    expect(received.match(/^connection: close\r$/gim)).toHaveLength(1);
  });

  it('ends with a target that cannot be decoded', async () => {
    const received = await rawRequest(origin, 'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
    expect(received.match(/HTTP\/1\.1 400/g)).toHaveLength(1);
    expect(received.match(/^connection: close\r$/gim)).toHaveLength(1);
  });
});

describe('a refusal', () => {
  const Problem = z.strictObject({
    type: z.literal('about:blank'),
    title: z.literal('Too Many Requests'),
    status: z.literal(429),
    detail: z.string(),
  });

  function expectLimit(headers: Record<string, string>): void {
    expect(headers).toMatchObject({
      'ratelimit-limit': '3',
      'ratelimit-remaining': '0',
      'cache-control': 'no-store',
    });
    for (const name of ['retry-after', 'ratelimit-reset']) {
      expect(Number(headers[name])).toBeGreaterThan(0);
      expect(Number(headers[name])).toBeLessThanOrEqual(60);
    }
  }

  it('of a program is a problem', async () => {
    for (const send of [() => get('/api/navigation'), () => subscribe(), () => sendView()]) {
      await statusesOf(3, send);
      const { status, type, body, headers } = await send();
      expect([status, type]).toEqual([429, 'application/problem+json']);
      Problem.parse(typeof body === 'object' && Object.keys(body).length > 0 ? body : null);
      expectLimit(headers);
    }
  });

  it('of a browser is a page', async () => {
    const visit = () => get('/about').set('accept', 'text/html,application/xhtml+xml');
    expect(await statusesOf(3, visit)).toEqual([200, 200, 200]);
    const { text, type, headers } = await visit().expect(429);
    expect(type).toBe('text/html');
    expect(text).toContain('429: Too Many Requests');
    expectLimit(headers);
  });

  it('of a form post without scripts is a page too', async () => {
    const send = () => subscribe().type('form').set('accept', 'text/html,*/*;q=0.8');
    expect(await statusesOf(3, send)).toEqual([400, 400, 400]);
    const { text, type, headers } = await send().expect(429);
    expect(type).toBe('text/html');
    expect(text).toContain('429: Too Many Requests');
    expectLimit(headers);
  });

  it('comes after the form posts that were said to remain', async () => {
    const remaining: unknown[] = [];
    for (let i = 0; i < 3; i++) remaining.push((await subscribe()).headers['ratelimit-remaining']);
    expect(remaining).toEqual(['2', '1', '0']);
    await subscribe().expect(429);
  });
});

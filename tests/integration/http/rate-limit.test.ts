import request from 'supertest';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

/** Rate limits of the three buckets over HTTP. A trusted proxy tells the clients apart. */
const DEFAULTS = { RATE_LIMIT_READ: '1200', RATE_LIMIT_WRITE: '20', RATE_LIMIT_BEACON: '600' };
const ONE = '203.0.113.7';
const OTHER = '203.0.113.8';

let site: SiteUnderTest | null = null;

async function start(...[env, parts]: Parameters<typeof startSiteUnderTest>): Promise<string> {
  site = await startSiteUnderTest({ TRUST_PROXY: '127.0.0.1', ...env }, parts);
  return site.origin;
}

afterEach(async () => {
  await site?.close();
  site = null;
});

const get = (origin: string, path: string, ip = ONE) =>
  request(origin).get(path).set('x-forwarded-for', ip).redirects(0);
const post = (origin: string, path: string, body: object, ip = ONE) =>
  request(origin).post(path).set('x-forwarded-for', ip).send(body);

const subscribe = (origin: string, ip = ONE) =>
  post(origin, '/api/subscriptions', { email: 'no address' }, ip);
const sendView = (origin: string, ip = ONE) => post(origin, '/api/views', { postId: 1 }, ip);
const sendWebVitals = (origin: string, ip = ONE) =>
  post(origin, '/api/vitals', { route: '/', width: 'wide', lcp: 900, inp: 20, cls: 0, failedChunks: 0 }, ip);

async function statusesOf(times: number, send: () => request.Test): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await send()).status);
  return statuses;
}

describe('three buckets never touch', () => {
  it('a reader of thirty articles, whose pages report views and Web Vitals, can still subscribe', async () => {
    const origin = await start(DEFAULTS);
    for (let article = 0; article < 30; article++) {
      await get(origin, '/about').expect(200);
      await sendView(origin).expect(202);
      await sendWebVitals(origin).expect(204);
    }
    await post(origin, '/api/subscriptions', { email: 'reader@example.com' }).expect(201);
  });

  it.each(['read', 'write', 'beacon'])('one that is used up leaves the others: %s', async (usedUp) => {
    const origin = await start({ RATE_LIMIT_READ: '3', RATE_LIMIT_WRITE: '3', RATE_LIMIT_BEACON: '3' });
    const send = {
      read: () => get(origin, '/robots.txt'),
      write: () => subscribe(origin),
      beacon: () => sendView(origin),
    };
    const accepted = { read: 200, write: 400, beacon: 202 };
    for (const [bucket, one] of Object.entries(send))
      if (bucket === usedUp) expect((await statusesOf(5, one)).slice(3)).toEqual([429, 429]);
    for (const bucket of ['read', 'write', 'beacon'] as const)
      if (bucket !== usedUp)
        expect(await statusesOf(3, send[bucket])).toEqual(Array(3).fill(accepted[bucket]));
  });

  it('all beacons share one', async () => {
    const origin = await start({ RATE_LIMIT_BEACON: '4' });
    const statuses = [
      ...(await statusesOf(2, () => sendView(origin))),
      ...(await statusesOf(3, () => sendWebVitals(origin))),
    ];
    expect(statuses).toEqual([202, 202, 204, 204, 429]);
  });

  it('all forms share one', async () => {
    const origin = await start({ RATE_LIMIT_WRITE: '3' });
    const paths = ['/api/subscriptions', '/api/contact-messages', '/api/opt-outs', '/api/subscriptions'];
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await post(origin, path, {})).status);
    expect(statuses).toEqual([400, 400, 400, 429]);
  });

  it('0 turns each off', async () => {
    const origin = await start({ RATE_LIMIT_READ: '0', RATE_LIMIT_WRITE: '0', RATE_LIMIT_BEACON: '0' });
    const sent = [
      () => get(origin, '/about'),
      () => get(origin, '/robots.txt'),
      () => subscribe(origin),
      () => sendView(origin),
    ];
    for (const send of sent) expect(await statusesOf(30, send)).not.toContain(429);
    expect((await subscribe(origin)).headers).not.toHaveProperty('ratelimit-limit');
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
    const origin = await start({ RATE_LIMIT_READ: '2' });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) {
      const { status } = await fetch(origin + path, {
        method,
        headers: { 'x-forwarded-for': ONE },
        redirect: 'manual',
      });
      statuses.push(status);
    }
    expect(statuses.slice(0, 2)).not.toContain(429);
    expect(statuses.slice(2)).toEqual([429, 429]);
    await get(origin, '/about').expect(429);
    await get(origin, '/about', OTHER).expect(200);
  });

  it('is no look at the server’s health', async () => {
    const origin = await start({ RATE_LIMIT_READ: '2' });
    for (const path of ['/healthz', '/readyz'])
      expect(await statusesOf(5, () => get(origin, path))).toEqual(Array(5).fill(200));
    await get(origin, '/about').expect(200);
  });

  it('that is allowed says nothing about the rate limit, since it may be cached', async () => {
    const origin = await start(DEFAULTS);
    for (const path of ['/about', '/robots.txt', '/api/navigation', '/about']) {
      const { headers } = await get(origin, path).expect(200);
      expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    }
  });
});

describe('a client', () => {
  const clientsOf = (ips: string[], times: number) => async () => {
    const origin = await start({ RATE_LIMIT_READ: '4' });
    const statuses: number[] = [];
    for (let i = 0; i < times; i++) statuses.push((await get(origin, '/about', ips[i % ips.length])).status);
    return statuses;
  };

  it('is an IPv6 /64', async () => {
    const same = await clientsOf(['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:DB8:1:2:0:0:0:3'], 5)();
    expect(same).toEqual([200, 200, 200, 200, 429]);
    if (site) await get(site.origin, '/about', '2001:db8:1:3::1').expect(200);
  });

  it('is an IPv4 address, also where IPv6 writes it', async () => {
    expect(await clientsOf([ONE, `::ffff:${ONE}`, '::ffff:cb00:7107'], 5)()).toEqual([
      200, 200, 200, 200, 429,
    ]);
    if (site) await get(site.origin, '/about', `::ffff:${OTHER}`).expect(200);
  });

  it('has its limit to itself', async () => {
    const origin = await start({ RATE_LIMIT_READ: '2', RATE_LIMIT_WRITE: '1', RATE_LIMIT_BEACON: '1' });
    for (let i = 0; i < 4; i++)
      await Promise.all([get(origin, '/about'), subscribe(origin), sendView(origin)]);
    await get(origin, '/about', OTHER).expect(200);
    await subscribe(origin, OTHER).expect(400);
    await sendView(origin, OTHER).expect(202);
  });

  it('that keeps asking 200 times a second is let in again when its minute ends', async () => {
    let ahead = 0;
    const clock = () => performance.now() + ahead;
    const origin = await start({ RATE_LIMIT_READ: '50' }, { clock });
    const minutes: number[] = [];
    for (let minute = 0; minute < 3; minute++) {
      // The unknown parameter makes Fastify route the request instead of the front cache.
      const statuses = [
        ...(await statusesOf(40, () => get(origin, '/about'))),
        ...(await statusesOf(40, () => get(origin, '/about?utm_source=letter'))),
      ];
      minutes.push(statuses.filter((status) => status === 200).length);
      expect(statuses.slice(50)).toEqual(Array(30).fill(429));
      ahead += 60_000;
    }
    expect(minutes).toEqual([50, 50, 50]);
  });
});

describe('a refusal', () => {
  const Problem = z.strictObject({
    type: z.literal('about:blank'),
    title: z.literal('Too Many Requests'),
    status: z.literal(429),
    detail: z.string(),
  });

  function expectLimit(headers: Record<string, string>, limit: string): void {
    expect(headers).toMatchObject({
      'ratelimit-limit': limit,
      'ratelimit-remaining': '0',
      'cache-control': 'no-store',
    });
    for (const name of ['retry-after', 'ratelimit-reset']) {
      expect(Number(headers[name])).toBeGreaterThan(0);
      expect(Number(headers[name])).toBeLessThanOrEqual(60);
    }
  }

  it('of a program is a problem', async () => {
    const origin = await start({ RATE_LIMIT_READ: '1', RATE_LIMIT_WRITE: '1', RATE_LIMIT_BEACON: '1' });
    for (const send of [
      () => get(origin, '/api/navigation'),
      () => subscribe(origin),
      () => sendView(origin),
    ]) {
      await send();
      const { status, type, body, headers } = await send();
      expect([status, type]).toEqual([429, 'application/problem+json']);
      Problem.parse(typeof body === 'object' && Object.keys(body).length > 0 ? body : null);
      expectLimit(headers, '1');
    }
  });

  it('of a browser is a page', async () => {
    const origin = await start({ RATE_LIMIT_READ: '1' });
    const visit = () => get(origin, '/about').set('accept', 'text/html,application/xhtml+xml');
    await visit().expect(200);
    const { text, type, headers } = await visit().expect(429);
    expect(type).toBe('text/html');
    expect(text).toContain('429: Too Many Requests');
    expectLimit(headers, '1');
  });

  it('of a form post without scripts is a page too', async () => {
    const origin = await start({ RATE_LIMIT_WRITE: '1' });
    const send = () => subscribe(origin).type('form').set('accept', 'text/html,*/*;q=0.8');
    await send().expect(400);
    const { text, type, headers } = await send().expect(429);
    expect(type).toBe('text/html');
    expect(text).toContain('429: Too Many Requests');
    expectLimit(headers, '1');
  });

  it('comes after the form posts that were said to remain', async () => {
    const origin = await start({ RATE_LIMIT_WRITE: '3' });
    const remaining: unknown[] = [];
    for (let i = 0; i < 3; i++) remaining.push((await subscribe(origin)).headers['ratelimit-remaining']);
    expect(remaining).toEqual(['2', '1', '0']);
    await subscribe(origin).expect(429);
  });
});

import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const SECRET = 'a-secret-of-the-cdn';

/** Sends a GET from an address of the loopback network, which stands for a host of its own. */
function ask(site: SiteUnderTest, path: string, headers: Record<string, string>, from = '127.0.0.1') {
  return new Promise<{ status: number; body: string; type: string }>((resolve, reject) => {
    get(site.origin + path, { headers, localAddress: from, agent: false }, async (response) => {
      const { statusCode: status = 0, headers: own } = response;
      resolve({ status, body: await text(response), type: own['content-type'] ?? '' });
    }).on('error', reject);
  });
}

describe('with an ORIGIN_SECRET', () => {
  let site: SiteUnderTest;
  beforeAll(async () => {
    site = await startSiteUnderTest({ ORIGIN_SECRET: SECRET });
  });
  afterAll(() => site.close());

  it.each(['/', '/about', '/api/home', '/feed.xml', '/favicon.svg', '/nowhere', '/404'])(
    'a request for %s without it is refused with 403, also where the response is cached',
    async (path) => {
      await ask(site, path, { 'x-origin-secret': SECRET });
      for (const headers of [{}, { 'x-origin-secret': 'another-secret' }, { 'x-origin-secret': '' }]) {
        const { status, body, type } = await ask(site, path, headers);
        expect({ status, type }).toEqual({ status: 403, type: 'application/problem+json; charset=utf-8' });
        expect(JSON.parse(body)).toMatchObject({ status: 403, title: 'Forbidden' });
      }
    },
  );

  it('a request with it is served, and a health check needs none', async () => {
    expect((await ask(site, '/', { 'x-origin-secret': SECRET })).status).toBe(200);
    expect((await ask(site, '/healthz', {})).status).toBe(200);
    expect((await ask(site, '/readyz?from=probe', {})).status).not.toBe(403);
    expect((await ask(site, '/healthz/../', {})).status).toBe(403);
  });

  it('a form post without it is refused before its body is read', async () => {
    const { status } = await fetch(`${site.origin}/api/subscriptions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@example.com' }),
    });
    expect(status).toBe(403);
  });
});

describe('with a CLIENT_IP_HEADER', () => {
  let site: SiteUnderTest;
  beforeAll(async () => {
    site = await startSiteUnderTest({
      TRUST_PROXY: '127.0.0.1',
      CLIENT_IP_HEADER: 'CF-Connecting-IP',
      RATE_LIMIT_READ: '2',
    });
    // Two requests are cached responses from here on, a third is a miss.
    for (const path of ['/', '/about', '/api/home'])
      await ask(site, path, { 'cf-connecting-ip': '198.51.100.200' });
  });
  afterAll(() => site.close());

  const statuses = async (headers: (request: number) => Record<string, string>, from?: string) => {
    const seen: number[] = [];
    for (const [index, path] of ['/', '/about', '/nowhere-else'].entries())
      seen.push((await ask(site, path, headers(index), from)).status);
    return seen;
  };

  it('each client behind one edge node has a rate limit of its own', async () => {
    const clients = (client: number) => ({ 'cf-connecting-ip': `198.51.100.${client}` });
    expect(await statuses(clients)).toEqual([200, 200, 404]);
    expect(await statuses(() => ({ 'cf-connecting-ip': '198.51.100.50' }))).toEqual([200, 200, 429]);
  });

  it('one client behind many edge nodes has one, whatever X-Forwarded-For says', async () => {
    const forged = (hop: number) => ({
      'cf-connecting-ip': '2001:db8::7',
      'x-forwarded-for': `203.0.113.${hop}`,
    });
    expect(await statuses(forged)).toEqual([200, 200, 429]);
  });

  it('the header of a client that comes past the edge is not believed', async () => {
    const forged = (client: number) => ({ 'cf-connecting-ip': `192.0.2.${client}` });
    expect(await statuses(forged, '127.0.0.2')).toEqual([200, 200, 429]);
  });

  it('a header that holds no address changes nothing', async () => {
    const odd = (client: number) => ({
      'cf-connecting-ip': 'unknown',
      'x-forwarded-for': `198.18.0.${client}`,
    });
    expect(await statuses(odd)).toEqual([200, 200, 404]);
  });
});

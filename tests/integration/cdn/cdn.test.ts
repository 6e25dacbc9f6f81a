import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../fixtures/clocks.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

/** A CDN's purge API that writes down what it is told. */
interface PurgeApi {
  server: Server;
  url: string;
  calls: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[];
  /** Statuses of the next responses; 200 when there is none left. */
  statuses: number[];
  /** Sends the next responses instead. */
  listener: RequestListener | null;
}

async function startPurgeApi(): Promise<PurgeApi> {
  const calls: PurgeApi['calls'] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    calls.push({ method, path, headers, body: await text(request) });
    if (api.listener !== null) return api.listener(request, response);
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const api: PurgeApi = { server, url: `http://127.0.0.1:${port}`, calls, statuses, listener: null };
  return api;
}

const VENDORS = [
  { cdn: 'varnish', freshness: 'cdn-cache-control', tags: 'xkey', separator: ' ' },
  { cdn: 'fastly', freshness: 'surrogate-control', tags: 'surrogate-key', separator: ' ' },
  { cdn: 'cloudflare', freshness: 'cdn-cache-control', tags: 'cache-tag', separator: ',' },
];
const FRESH = /^max-age=(\d+), stale-while-revalidate=\d+, stale-if-error=\d+$/;

const api: { current: PurgeApi | null } = { current: null };
const purgeApi = (): PurgeApi => {
  if (api.current === null) throw new Error('the purge API has not been started');
  return api.current;
};
beforeAll(async () => {
  api.current = await startPurgeApi();
});
afterAll(() => {
  purgeApi().server.closeAllConnections();
  purgeApi().server.close();
});
beforeEach(() => {
  purgeApi().listener = null;
  purgeApi().calls.length = 0;
});

const startBehind = (cdn: string, env: Record<string, string> = {}, parts = {}) =>
  startSiteUnderTest(
    { CDN: cdn, CDN_PURGE_URL: purgeApi().url, CDN_TOKEN: 'a-token', CDN_ZONE: 'zone1', ...env },
    { random: () => 0.5, ...parts },
  );

const operate = (site: SiteUnderTest, method: string, path: string, body: object) =>
  fetch(site.ops + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function firstArticle(site: SiteUnderTest): Promise<{ path: string; id: string }> {
  const { top } = await (await fetch(`${site.origin}/api/home`)).json();
  return { path: `/${top[0].category}/${top[0].slug}`, id: top[0].id };
}

describe.each(VENDORS)('behind $cdn', ({ cdn, freshness, tags, separator }) => {
  let site: SiteUnderTest;
  let article: { path: string; id: string };
  beforeAll(async () => {
    site = await startBehind(cdn, { CACHE_ARTICLE_TTL: '60', CACHE_ADS_TTL: '40' });
    article = await firstArticle(site);
  });
  afterAll(() => site.close());

  it('what may be cached says how long for the CDN alone, and for browsers what it said before', async () => {
    for (const path of ['/', article.path, '/api/home', '/feed.xml', '/sitemap.xml']) {
      for (const _ of ['made', 'cached']) {
        const { status, headers } = await fetch(site.origin + path);
        expect(status).toBe(200);
        expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
        expect(headers.get(freshness), path).toMatch(FRESH);
      }
    }
  });

  it('is told the time that is left until the first part goes stale, and its tags', async () => {
    const { headers } = await fetch(site.origin + article.path);
    const [, maxAge] = FRESH.exec(headers.get(freshness) ?? '') ?? [];
    expect(Number(maxAge)).toBe(Number(/ttl=(\d+)/.exec(headers.get('cache-status') ?? '')?.[1]));
    expect(Number(maxAge)).toBeLessThanOrEqual(40);
    const listed = headers.get(tags)?.split(separator);
    expect(listed).toEqual(expect.arrayContaining(['article', 'ads', 'navigation', `post:${article.id}`]));
    expect(new Set(listed).size).toBe(listed?.length);
  });

  it('has each document tagged as one, with the name of its page, first', async () => {
    for (const [path, page] of [
      ['/', 'home'],
      [article.path, 'article'],
      ['/about', 'about'],
      ['/privacy-policy', 'privacy'],
      ['/contact-us?sent=1', 'contact'],
      ['/404', 'not-found'],
      ['/nowhere-at-all', 'not-found'],
    ]) {
      const { headers } = await fetch(site.origin + path);
      expect([path, headers.get(tags)?.split(separator).slice(0, 2)]).toEqual([
        path,
        ['document', `document:${page}`],
      ]);
    }
    for (const path of ['/api/home', '/feed.xml'])
      expect((await fetch(site.origin + path)).headers.get(tags), path).not.toContain('document');
  });

  it('gets the same with a 304', async () => {
    const first = await fetch(site.origin + article.path);
    const again = await fetch(site.origin + article.path, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect(again.headers.get(freshness)).toMatch(FRESH);
    expect(again.headers.get(tags)).toBe(first.headers.get(tags));
  });

  it.each([
    ['/404', 404],
    ['/nowhere-at-all', 404],
    ['/api/articles/news/no-such', 404],
    ['/assets/none.js', 404],
  ])('keeps %s for fifteen seconds', async (path, status) => {
    const response = await fetch(site.origin + path);
    expect([response.status, response.headers.get(freshness)]).toEqual([status, 'max-age=15']);
  });

  it('keeps the two forms of an error apart', async () => {
    const types = ['text/html', 'application/problem+json'];
    for (const type of types) {
      const { headers } = await fetch(`${site.origin}/assets/none.js`, { headers: { accept: type } });
      expect([headers.get('content-type'), headers.get('vary')]).toEqual([
        `${type}; charset=utf-8`,
        'Accept',
      ]);
    }
  });

  it('keeps no redirect, no refusal, no health check and no response to a form', async () => {
    const post = (path: string, type: string, body: string) =>
      fetch(site.origin + path, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
        redirect: 'manual',
      });
    const responses = [
      await fetch(`${site.origin}/About/`, { redirect: 'manual' }),
      await fetch(`${site.origin}/healthz`),
      await fetch(`${site.origin}/readyz`),
      await fetch(site.origin, { headers: { 'accept-encoding': 'identity;q=0' } }),
      await fetch(`${site.origin}/about`, { method: 'DELETE' }),
      await post('/api/subscriptions', 'application/json', '{"email":"no"}'),
      await post('/api/subscriptions', 'application/x-www-form-urlencoded', 'email=no'),
      await post('/api/views', 'application/json', `{"postId":"${article.id}"}`),
    ];
    for (const { status, url, headers } of responses)
      expect([url, status, headers.get(freshness), headers.get(tags)]).toEqual([
        url,
        status,
        'no-store',
        null,
      ]);
  });

  it('keeps files as long as browsers do', async () => {
    const { headers } = await fetch(`${site.origin}/robots.txt`);
    expect(headers.get(freshness)).toBe('max-age=3600');
    const asset = /href="(\/assets\/[^"]+\.css)"/.exec(await (await fetch(site.origin)).text())?.[1];
    expect((await fetch(site.origin + asset)).headers.get(freshness)).toBe('max-age=31536000');
  });

  it('is purged of what an operator names', async () => {
    const response = await operate(site, 'POST', '/cache/purge', { tags: ['post:4711', 'ads'] });
    expect(await response.json()).toMatchObject({ cdn: { queued: 2 } });
    await expect.poll(() => purgeApi().calls).toHaveLength(1);
    expect(JSON.stringify(purgeApi().calls[0])).toMatch(/post:4711(?: |\\?",\\?")ads/);
    await operate(site, 'POST', '/cache/purge', { all: true });
    await expect.poll(() => purgeApi().calls).toHaveLength(2);
    expect(JSON.stringify(purgeApi().calls[1])).toMatch(/purge-all|purge_all|purge_everything/);
  });

  it('keeps nothing while bypass is on', async () => {
    await operate(site, 'PATCH', '/cache/mode', { mode: 'bypass' });
    for (const path of ['/', '/api/home', '/robots.txt', '/404'])
      expect((await fetch(site.origin + path)).headers.get(freshness), path).toBe('no-store');
    await operate(site, 'PATCH', '/cache/mode', { mode: 'normal' });
    await expect.poll(() => purgeApi().calls.length).toBeGreaterThan(0);
  });
});

describe('a change upstream', () => {
  let site: SiteUnderTest;
  const clock = fakeClock({ now: Date.now() });
  beforeAll(async () => {
    site = await startBehind('fastly', { CACHE_ARTICLE_TTL: '10' }, { clock });
  });
  afterAll(() => site.close());

  it('is purged by the article’s tag as soon as a refresh has brought it, also where the first call fails', async () => {
    const { path, id } = await firstArticle(site);
    const title = async () => /<h1[^>]*>([^<]+)/.exec(await (await fetch(site.origin + path)).text())?.[1];
    const before = await title();
    const call = `/api/post/postdetails${path}`;
    const body = JSON.parse(
      (await (await fetch(site.demoCms + call)).text()).replaceAll(
        /"post_title":"[^"]*"/g,
        '"post_title":"Another title"',
      ),
    );
    await site.faults([{ path: call, kind: 'wrong-json', body }]);
    purgeApi().statuses.push(503);
    clock.monotonicMs += 11_000;
    await title();
    await expect.poll(title).not.toBe(before);
    await expect.poll(() => purgeApi().calls.length).toBeGreaterThan(1);
    for (const { path: called, body, headers } of purgeApi().calls) {
      expect(called).toBe('/service/zone1/purge');
      expect(JSON.parse(body).surrogate_keys).toContain(`post:${id}`);
      expect(headers['fastly-soft-purge']).toBeUndefined();
    }
    const metrics = await (await fetch(`${site.ops}/metrics`)).text();
    expect(metrics).toContain('cdn_purges_total{outcome="failed"} 1');
    expect(metrics).toContain('cdn_purge_queue_length 0');
  });
});

describe('a purge API that misbehaves', () => {
  const endless: RequestListener = (_, response) => {
    response.writeHead(200);
    const send = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', send);
    send();
  };
  it.each<[string, RequestListener, number]>([
    ['sends a body without an end', endless, 1],
    [
      'redirects',
      (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      2,
    ],
    ['says it is too much', (_, response) => void response.writeHead(429).end(), 2],
    ['resets', (request) => void request.socket.destroy(), 2],
  ])(
    'where it %s, is called again if that was no success, and the next purge succeeds',
    async (_, listener, calls) => {
      const site = await startBehind('fastly');
      try {
        purgeApi().listener = listener;
        await operate(site, 'POST', '/cache/purge', { tags: ['post:1'] });
        await expect.poll(() => purgeApi().calls.length).toBeGreaterThanOrEqual(calls);
        purgeApi().listener = null;
        await operate(site, 'POST', '/cache/purge', { tags: ['post:2'] });
        // A tag that is being sent does not wait in the queue: first the call, then that it is not put back.
        await expect.poll(() => purgeApi().calls.at(-1)?.body).toContain('post:2');
        const queueLength = async () =>
          /cdn_purge_queue_length (\d+)/.exec(await (await fetch(`${site.ops}/metrics`)).text())?.[1];
        await expect.poll(queueLength).toBe('0');
      } finally {
        await site.close();
      }
    },
  );
});

describe('a page that an operator names', () => {
  it.each([
    ['/', 'home'],
    ['/topic/news', 'category:news'],
    ['/events', 'events'],
    ['/events/some-event', 'event:some-event'],
    ['/search/all/data', 'search'],
    ['/news/some-article', 'article/news/some-article'],
    ['/about', 'document:about'],
    ['/sitemap', 'subcategories', 'category:future-ready'],
    ['/404', 'document:not-found'],
  ])('%s is purged at the CDN although it is not cached here', async (path, ...tags) => {
    const site = await startBehind('fastly');
    try {
      const response = await operate(site, 'POST', '/cache/purge', { pages: [path, '/no/such/page'] });
      expect(await response.json()).toEqual({ purged: 0, pages: 0, cdn: { queued: tags.length } });
      await expect.poll(() => purgeApi().calls).toHaveLength(1);
      expect(JSON.parse(purgeApi().calls[0]?.body ?? '')).toEqual({ surrogate_keys: tags });
      const calls = Object.keys(await site.calls()).filter((call) => call.includes('/api/'));
      expect(calls).toEqual([]);
    } finally {
      await site.close();
    }
  });
});

describe('views behind a CDN', () => {
  it('are counted by what the page reports, not by its document, nor by a crawler that runs its scripts', async () => {
    const site = await startBehind('cloudflare');
    try {
      const { path, id } = await firstArticle(site);
      const page = await (await fetch(site.origin + path)).text();
      expect(page).toMatch(/<script type="module" src="\/assets\/document-views-[^"]+"><\/script>/);
      expect(await (await fetch(`${site.origin}/about`)).text()).not.toContain('document-views');
      await fetch(site.origin + path);
      for (const userAgent of ['Mozilla/5.0 (compatible; Googlebot/2.1)', 'Mozilla/5.0 Firefox/140.0'])
        await fetch(`${site.origin}/api/views`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': userAgent },
          body: JSON.stringify({ postId: id }),
        });
      const views = async () =>
        Object.entries(await site.calls()).flatMap(([call, times]) =>
          call.includes('/post_count/') ? [times] : [],
        );
      await expect.poll(views).toEqual([1]);
    } finally {
      await site.close();
    }
  });
});

describe('without a CDN', () => {
  it('no response names one', async () => {
    const site = await startSiteUnderTest();
    try {
      const { path } = await firstArticle(site);
      for (const target of ['/', path, '/api/home', '/404', '/robots.txt', '/healthz']) {
        const { headers } = await fetch(site.origin + target);
        for (const { freshness, tags } of VENDORS)
          expect([headers.get(freshness), headers.get(tags)]).toEqual([null, null]);
      }
      expect(await (await fetch(site.origin + path)).text()).not.toContain('document-views');
    } finally {
      await site.close();
    }
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rawRequest, statusesOf } from '../http/raw-request.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

/** Starts a server that records its requests. */
interface Recorder {
  server: Server;
  origin: string;
  asked: { host: string | undefined; target: string | undefined; authorization: string | undefined }[];
}

async function record(body: string): Promise<Recorder> {
  const asked: Recorder['asked'] = [];
  const server = createServer(({ headers, url: target }, response) => {
    asked.push({ host: headers.host, target, authorization: headers.authorization });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { server, origin: `http://127.0.0.1:${port}`, asked };
}

const AUTHORIZATION = 'Bearer of-the-publisher';

let site: SiteUnderTest;
let upstream: Recorder;
let lookup: Recorder;
let canary: Recorder;

beforeAll(async () => {
  upstream = await record('{"result":[]}');
  lookup = await record('{"ip":"203.0.113.9"}');
  canary = await record('{}');
  site = await startSiteUnderTest({
    API_HOST: `${upstream.origin}/base`,
    IP_LOOKUP_URL: `${lookup.origin}/lookup?format=json`,
    TRUST_PROXY: 'true',
    API_AUTHORIZATION: AUTHORIZATION,
  });
});
afterAll(async () => {
  await site.close();
  for (const { server } of [upstream, lookup, canary]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  for (const { asked } of [upstream, lookup, canary]) asked.length = 0;
});

const slugs = () => {
  const { host } = new URL(canary.origin);
  return [
    ...[
      '.',
      '..',
      '../..',
      '%2e%2e',
      '..%2f',
      '..\\..',
      '//',
      `//${host}/x`,
      `http://${host}/x`,
      `@${host}/`,
    ],
    ...['a/b', '?x=', '&limit=9', '#', ';x', '\r\nHost: evil.example', '\0', '%00', '%0d%0a', ' ', 'é', '*'],
  ];
};
/** A slug as is, escaped once, and escaped twice. */
const spellings = (slug: string) => [encodeURIComponent(slug), encodeURIComponent(encodeURIComponent(slug))];

const ROUTES: ((slug: string) => string)[] = [
  (slug) => `/tag/${slug}`,
  (slug) => `/topic/${slug}`,
  (slug) => `/topic/news/${slug}`,
  (slug) => `/topic/${slug}/feed.xml`,
  (slug) => `/${slug}/story`,
  (slug) => `/news/${slug}`,
  (slug) => `/news/${slug}.md`,
  (slug) => `/events/${slug}`,
  (slug) => `/search/${slug}/term`,
  (slug) => `/search/all/${slug}`,
  (slug) => `/api/tags/${slug}`,
  (slug) => `/api/topics/${slug}/${slug}`,
  (slug) => `/api/articles/${slug}/${slug}`,
  (slug) => `/api/events/${slug}`,
  (slug) => `/api/search/${slug}/${slug}`,
  (slug) => `/sitemaps/posts-${slug}.xml`,
];

/** Specification, section 7: paths below `/api` with at most two segments that a client influences. */
const CALL =
  /^\/base\/api\/(?:post|event|author|category|advertisement)\/[\w.!~*'()%-]+(?:\/[\w.!~*'()%-]+){0,2}(?:\?page=\d+(?:&limit=\d+)?)?$/;

it('whatever address a client claims, the lookup asks what is configured', async () => {
  // The lookup's result is cached: only the first request calls it.
  for (const claimed of ['10.0.0.1', canary.origin, '127.0.0.1/../x', '::1', 'a?b#c'])
    await fetch(`${site.origin}/events/a-day`, { headers: { 'x-forwarded-for': claimed } });
  await expect.poll(() => lookup.asked).not.toEqual([]);
  const own = { host: new URL(lookup.origin).host, target: '/lookup?format=json', authorization: undefined };
  for (const asked of lookup.asked) expect(asked).toEqual(own);
  expect(canary.asked).toEqual([]);
});

describe('whatever a slug is', () => {
  it.each(ROUTES.map((route) => [route(':slug'), route] as const))(
    '%s asks the upstream alone',
    async (_path, route) => {
      for (const slug of slugs().flatMap(spellings)) {
        const head = 'Host: x\r\nConnection: close\r\n\r\n';
        const [status, ...more] = statusesOf(
          await rawRequest(site.origin, `GET ${route(slug)} HTTP/1.1\r\n${head}`),
        );
        expect(status, slug).toBeLessThan(504);
        expect(more).toEqual([]);
      }
      for (const { host, target = '' } of upstream.asked) {
        expect(host).toBe(new URL(upstream.origin).host);
        expect(target).toMatch(CALL);
        expect(new URL(target, 'http://x').pathname).toBe(target.split('?')[0]);
      }
      expect(canary.asked).toEqual([]);
    },
  );

  it('which the canary would see', async () => {
    await fetch(`${canary.origin}/x`);
    expect(canary.asked).toHaveLength(1);
  });
});

describe('API_AUTHORIZATION', () => {
  it('is sent with every upstream call, reads and form posts, in the place of what a client sends', async () => {
    const headers = { authorization: 'Bearer of-a-client', 'content-type': 'application/json' };
    await fetch(`${site.origin}/topic/authorised`, { headers });
    const body = JSON.stringify({ email: 'ada@example.com' });
    await fetch(`${site.origin}/api/subscriptions`, { method: 'POST', headers, body });
    expect(upstream.asked.map(({ target }) => target)).toContain('/base/api/subscribe/add');
    for (const { target, authorization } of upstream.asked)
      expect({ target, authorization }).toEqual({ target, authorization: AUTHORIZATION });
  });
});

it('the connection to the IP lookup ends with the site', async () => {
  const own = await record('{"ip":"203.0.113.9"}');
  // Longer than the test: neither side would end it.
  own.server.keepAliveTimeout = 600_000;
  const ended = Promise.withResolvers<void>();
  own.server.on('connection', (socket) => socket.once('close', ended.resolve));
  const stopping = await startSiteUnderTest({ IP_LOOKUP_URL: own.origin });
  const asked = once(own.server, 'request');
  await fetch(`${stopping.origin}/events/an-event`);
  await asked;
  await stopping.close();
  await ended.promise;
  own.server.close();
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClockAhead, clockAhead } from '../fixtures/clocks.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { startRedis } from './redis-server.ts';

const TIMEOUT = { timeout: 100_000, interval: 50 };

/** A CDN's purge API. What it does with the tags is for the test to say; the response waits for it. */
let purged: string[][];
let onPurge: () => Promise<void>;
const server = createServer(async (request, response) => {
  const { tags } = JSON.parse(await text(request));
  purged.push(tags);
  await onPurge();
  response.writeHead(200).end('{}');
});

let redis: Awaited<ReturnType<typeof startRedis>>;
let sites: SiteUnderTest[];
/** Of all instances. */
let clock: ClockAhead;

beforeEach(async () => {
  clock = clockAhead();
  purged = [];
  onPurge = async () => undefined;
  sites = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  redis = await startRedis();
});
afterEach(async () => {
  onPurge = async () => undefined;
  for (const site of sites.toReversed()) await site.close();
  await redis.stop();
  server.closeAllConnections();
  server.close();
});

/** Starts an instance. All of them have the demo CMS of the first. */
async function startInstance(env: Record<string, string> = {}): Promise<SiteUnderTest> {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const [first] = sites;
  const site = await startSiteUnderTest(
    {
      REDIS_URL: redis.url,
      CDN: 'cloudflare',
      CDN_PURGE_URL: `http://127.0.0.1:${port}`,
      CDN_TOKEN: 'a-token',
      CDN_ZONE: 'zone1',
      CACHE_ARTICLE_TTL: '1',
      CACHE_ARTICLE_SWR: '1',
      ...env,
    },
    { clock, ...(first && { demoCms: first.demoCms }) },
  );
  sites.push(site);
  return site;
}

/** The first article of the home page, and how to give it another title upstream. */
async function firstArticle(site: SiteUnderTest) {
  const { top } = await (await fetch(`${site.origin}/api/home`)).json();
  const path = `/${top[0].category}/${top[0].slug}`;
  const call = `/api/post/postdetails${path}`;
  const original = await (await fetch(site.demoCms + call)).text();
  return {
    path,
    tag: `post:${top[0].id}`,
    async retitle(title: string): Promise<void> {
      const body = JSON.parse(original.replaceAll(/"post_title":"[^"]*"/g, `"post_title":"${title}"`));
      await sites[0]?.faults([{ path: call, kind: 'wrong-json', body }]);
    },
  };
}

const pageOf = (site: SiteUnderTest, path: string) => fetch(site.origin + path);

const waitForTitle = (site: SiteUnderTest, path: string, title: string) =>
  vi.waitFor(
    async () => expect(await (await pageOf(site, path)).text()).toContain(`>${title}</h1>`),
    TIMEOUT,
  );

it('a start purges nothing at the CDN', async () => {
  const first = await startInstance();
  const second = await startInstance();
  for (const site of [first, second])
    for (const page of ['/', '/topic/news', '/events']) await (await pageOf(site, page)).text();
  const third = await startInstance();
  await (await pageOf(third, '/')).text();
  expect(purged).toEqual([]);
});

it('each of three instances purges for the change that it sees, once', async () => {
  const sites = [await startInstance(), await startInstance(), await startInstance()];
  const [first] = sites;
  if (!first) throw new Error('there are three');
  const { path, tag, retitle } = await firstArticle(first);
  // Only a value that was known before can change.
  for (const site of sites) await (await pageOf(site, path)).text();
  await retitle('Changed');
  for (const site of sites) await waitForTitle(site, path, 'Changed');
  await vi.waitFor(() => expect(purged).toHaveLength(3), TIMEOUT);
  expect(purged).toEqual([[tag], [tag], [tag]]);
});

it('an outage of Redis purges nothing at the CDN', async () => {
  const sites = [await startInstance(), await startInstance()];
  // Everything cached is made stale once a minute at most, and a start counts.
  clock.monotonicAheadMs += 60_000;
  for (const site of sites) await (await pageOf(site, '/topic/news')).text();
  const { url } = redis;
  await redis.stop();
  redis = await startRedis(Number(new URL(url).port));
  const doesNotSay = (state: string) =>
    vi.waitFor(async () => {
      for (const { ops } of sites)
        expect(await (await fetch(`${ops}/cache/explain?url=/topic/news`)).text()).not.toContain(
          `"state":"${state}"`,
        );
    }, TIMEOUT);
  // Everything is stale then, and is loaded anew.
  await doesNotSay('fresh');
  for (const site of sites) await (await pageOf(site, '/topic/news')).text();
  await doesNotSay('stale');
  expect(purged).toEqual([]);
});

describe('an instance whose own entry is fresh for ten minutes more', () => {
  it('is purged of a page that the instance asked has never had', async () => {
    const first = await startInstance();
    const second = await startInstance({ CACHE_ARTICLE_TTL: '600' });
    const { path, retitle } = await firstArticle(second);
    await (await pageOf(second, path)).text();
    let titles: (string | undefined)[] = [];
    onPurge = async () => {
      titles.push(/<h1[^>]*>([^<]+)/.exec(await (await pageOf(second, path)).text())?.[1]);
    };
    let changes = 0;
    // Again where the machine was too busy to tell the other instance in the time before the CDN is purged.
    await vi.waitFor(async () => {
      const title = `Changed ${++changes} times`;
      expect(changes, 'tries').toBeLessThanOrEqual(3);
      await retitle(title);
      titles = [];
      const response = await fetch(`${first.ops}/cache/purge`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ pages: [path] }),
      });
      expect(await response.json()).toMatchObject({ purged: 0, pages: 0, cdn: { queued: 1 } });
      await vi.waitFor(() => expect(titles).toContain(title), { timeout: TIMEOUT.timeout / 4 });
      expect(titles[0]).toBe(title);
    }, TIMEOUT);
    expect(purged[0]).toEqual([`article${path}`]);
    const { headers } = await pageOf(second, path);
    expect(headers.get('cache-tag')?.split(',')).toContain(`article${path}`);
  });
});

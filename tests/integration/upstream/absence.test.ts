import request from 'supertest';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FaultRule } from '#demo/faults/faults.ts';
import { clockAhead } from '../../fixtures/clocks.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const SECOND = 1_000;

let site: SiteUnderTest;
let articles: string[];
const clock = clockAhead();

const get = (path: string) => request(site.origin).get(path);
const call = (article: string) => `/api/post/postdetails${article}`;
const metric = async (name: string) => {
  const { text } = await request(site.ops).get('/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
};
const outcomes = (outcome: string) =>
  metric(`upstream_requests_total\\{operation="post\\.postdetails",outcome="${outcome}"\\}`);

beforeAll(async () => {
  site = await startSiteUnderTest(
    { CACHE_ARTICLE_TTL: '60', CACHE_TOPIC_TTL: '60' },
    { clock, random: () => 0.5 },
  );
  const { body } = await get('/api/home');
  const { quickbytes, featured, podcasts } = body.sections;
  articles = [...quickbytes, ...featured, ...podcasts].map(
    ({ category, slug }: { category: string; slug: string }) => `/${category}/${slug}`,
  );
});
afterAll(() => site.close());
beforeEach(() => site.reset());

/** Has pages served, and their data go stale. */
async function warm(...paths: string[]): Promise<void> {
  for (const path of paths) await get(path).expect(200);
  clock.monotonicAheadMs += 61 * SECOND;
}

async function breakUpstream(rules: FaultRule[]): Promise<void> {
  await site.faults(rules);
  await site.forgetCalls();
}

it('an article that the upstream retracts is gone within two seconds of the refresh that saw it', async () => {
  const [article = ''] = articles;
  await warm(article);
  await breakUpstream([{ path: call(article), kind: 'status', status: 404 }]);
  const asked = performance.now();
  await get(article).expect(200);
  await expect.poll(async () => (await get(article)).status, { timeout: 10_000 }).toBe(404);
  expect((await site.calls())[`GET ${call(article)}`]).toBe(2);
  expect(performance.now() - asked).toBeGreaterThan(900);
});

it('a 404 that a proxy sends takes no page away, and is a failure', async () => {
  const [article = '', other = ''] = articles;
  await warm(article);
  await breakUpstream([{ path: '/api/post/postdetails/*', kind: 'html', status: 404 }]);
  const before = await outcomes('status');
  await get(article).expect(200);
  await expect.poll(() => outcomes('status')).toBeGreaterThan(before);
  clock.monotonicAheadMs += 2 * SECOND;
  const { headers } = await get(article).expect(200);
  expect(headers['cache-status']).toMatch(/^page; hit; ttl=-\d+$/);
  await get(other).expect(503);
});

it('a correct 404 is no error: not in the metrics, and not in the log', async () => {
  const [failed, absent] = [await outcomes('status'), await outcomes('not-found')];
  await breakUpstream([{ path: '/api/post/postdetails/*', kind: 'status', status: 404 }]);
  await get('/news/never-there').expect(404);
  expect(await outcomes('status')).toBe(failed);
  expect(await outcomes('not-found')).toBe(absent + 1);
});

it('an upstream that has lost its content keeps what is cached, until it brings it again', async () => {
  const pages = ['/topic/news', '/topic/podcasts', ...articles.slice(2, 6)];
  await warm(...pages);
  const list = { posts: { postData: [], pagination: { page: 1, limit: 10, totalItems: 0, totalPages: 0 } } };
  await breakUpstream([
    { path: '/api/post/postdetails/*', kind: 'wrong-json', body: { result: [] } },
    { path: '/api/post/topic/*', kind: 'wrong-json', body: list },
  ]);
  for (let round = 0; round < 3; round++) {
    for (const page of pages) await get(page);
    clock.monotonicAheadMs += 5 * SECOND;
  }
  await expect.poll(() => metric('upstream_content_missing')).toBe(1);
  for (const page of pages) expect((await get(page)).status, page).toBe(200);
  await site.faults([]);
  clock.monotonicAheadMs += 5 * SECOND;
  for (const page of pages) await get(page).expect(200);
  await expect.poll(() => metric('upstream_content_missing')).toBe(0);
});

it('an upstream that has lost its content keeps what is cached, until an operator purges it', async () => {
  const pages = articles.slice(2, 7);
  await warm(...pages);
  await breakUpstream([{ path: '/api/post/postdetails/*', kind: 'status', status: 404 }]);
  for (const page of pages) await get(page).expect(200);
  await expect.poll(() => metric('upstream_content_missing')).toBe(1);
  await request(site.ops)
    .post('/cache/purge')
    .send({ pages: pages.slice(0, 1) })
    .expect(200);
  await get(pages[0] ?? '').expect(404);
  await get(pages[1] ?? '').expect(200);
});

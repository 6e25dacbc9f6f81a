import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildDemoCms } from '#demo/demo-cms.ts';
import { clockAhead } from '../../fixtures/clocks.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const demoCms = buildDemoCms({ dataDir: null, faults: true });
let site: SiteUnderTest;
const clock = clockAhead();
/** Calls below a path get their response when it resolves. */
let held = { path: '', until: Promise.resolve() };
demoCms.addHook('preHandler', async ({ url }) => {
  if (held.path !== '' && url.startsWith(held.path)) await held.until;
});

/** Makes calls below a path wait. Returns what lets them go on. */
function hold(path: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = { path, until: promise };
  return resolve;
}

const get = (path: string) => request(site.origin).get(path).set('accept-encoding', 'identity');
const renders = async () => {
  const { text } = await request(site.ops).get('/metrics');
  return Number(/^render_duration_seconds_count (\d+)$/m.exec(text)?.[1] ?? 0);
};
const ADS = '/api/advertisement/get_active';
const hasAds = (text: string) => text.includes('data-slot=');

beforeAll(async () => {
  const origin = await demoCms.listen({ port: 0, host: '127.0.0.1' });
  site = await startSiteUnderTest({}, { clock, random: () => 0.5, optionalWaitMs: 1_000, demoCms: origin });
});
afterAll(async () => {
  await site.close();
  await demoCms.close();
});
beforeEach(() => site.reset());

async function timed(path: string): Promise<{ ms: number; text: string; cacheStatus: string }> {
  const began = performance.now();
  const { text, headers } = await get(path).expect(200);
  return { ms: performance.now() - began, text, cacheStatus: headers['cache-status'] ?? '' };
}

describe('a section that is slow', () => {
  it('is the cached one while the cache is bypassed', async () => {
    expect(hasAds((await timed('/topic/news')).text)).toBe(true);
    await request(site.ops).patch('/cache/mode').send({ mode: 'bypass' }).expect(200);
    await site.faults([{ path: ADS, kind: 'hang' }]);
    for (let reader = 0; reader < 2; reader++) {
      const { text, cacheStatus, ms } = await timed('/topic/news');
      expect([hasAds(text), cacheStatus]).toEqual([true, 'page; fwd=miss']);
      expect(ms).toBeLessThan(15_000);
    }
    await site.faults([]);
    await request(site.ops).patch('/cache/mode').send({ mode: 'normal' }).expect(200);
  });

  it('costs the first reader of a page a second at most, and later ones nothing', async () => {
    await site.faults([{ path: ADS, kind: 'hang' }]);
    for (const path of ['/', '/topic/news']) {
      const first = await timed(path);
      expect(first.cacheStatus).toBe('page; fwd=miss');
      // Not until the deadline of the call, which is 20 s here.
      expect(first.ms).toBeLessThan(15_000);
      expect(hasAds(first.text)).toBe(false);
      for (let reader = 0; reader < 3; reader++) {
        const later = await timed(path);
        expect(later.cacheStatus).toMatch(/^page; hit; ttl=-?\d/);
        clock.monotonicAheadMs += 3_000;
      }
    }
    await site.faults([]);
  });

  it('comes into the page as soon as it is there, without a reader', async () => {
    const sendAds = hold(ADS);
    expect(hasAds((await timed('/topic/news')).text)).toBe(false);
    sendAds();
    await expect
      .poll(async () => hasAds((await timed('/topic/news')).text), { timeout: 60_000, interval: 200 })
      .toBe(true);
  });

  it('that fails comes into the page after it has recovered', async () => {
    await site.faults([{ path: ADS, kind: 'status', status: 503 }]);
    expect(hasAds((await timed('/')).text)).toBe(false);
    await site.faults([]);
    clock.monotonicAheadMs += 6_000;
    const { text, cacheStatus } = await timed('/');
    expect([hasAds(text), cacheStatus]).toEqual([false, expect.stringMatching(/^page; hit/)]);
    await expect.poll(async () => hasAds((await timed('/')).text), { timeout: 60_000 }).toBe(true);
  });

  it('that has failed is there for a reader who comes later than some seconds after that', async () => {
    await site.faults([{ path: ADS, kind: 'status', status: 503 }]);
    expect(hasAds((await timed('/topic/news')).text)).toBe(false);
    await site.faults([]);
    clock.monotonicAheadMs += 25_000;
    expect(hasAds((await timed('/topic/news')).text)).toBe(true);
  });
});

it('a page whose data cannot be had is rendered once a second, however many ask', async () => {
  await site.faults([{ path: '/api/post/topic/*', kind: 'status', status: 503 }]);
  const before = await renders();
  for (let reader = 0; reader < 20; reader++) {
    const { status, headers } = await get('/topic/news');
    expect([status, headers['cache-control'], headers['cache-status']]).toEqual([
      503,
      'no-store',
      'page; fwd=miss',
    ]);
  }
  expect(await renders()).toBeLessThanOrEqual(before + 5);
  clock.monotonicAheadMs += 1_100;
  await site.faults([]);
  await get('/topic/news').expect(200);
});

it('the first article of a category asks for everything at once', async () => {
  const { body } = await get('/api/topics/news');
  const [{ category, slug }] = body.posts;
  await site.reset();
  const sendPost = hold('/api/post/postdetails/');
  await site.forgetCalls();
  const asking = get(`/${category}/${slug}`).then(() => undefined);
  await expect.poll(async () => Object.keys(await site.calls())).toContain('GET /api/post/asidetopic/news');
  sendPost();
  await asking;
});

it.each(['/', '/about', '/api/home'])(
  '%s without its sections is fresh for five seconds, also where no data is there',
  async (path) => {
    await site.faults([{ path: '/api/*', kind: 'status', status: 500 }]);
    await get(path).expect(200);
    clock.monotonicAheadMs += 1_200;
    const { headers } = await get(path).expect(200);
    expect(headers['cache-status']).toMatch(/; hit; ttl=[1-4]$/);
    await site.faults([]);
  },
);

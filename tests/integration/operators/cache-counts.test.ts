import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RESOURCES } from '#server/cache/resources.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { type LiveLine, openLive } from './metrics-stream-client.ts';

/** Seconds: only topics age while a test runs. */
const LONG = 100_000;
const TOPIC = { ttl: 10, swr: 20, sie: 60 };
const PAGE = '/topic/news';
const API = '/api/topics/news';
/** How long a refresh takes that readers are served before. */
const REFRESH_MS = 1_500;

let site: SiteUnderTest;
let live: LiveLine | null;
/** Seconds on the cache's clock, which goes on only where a test says so. */
let now: number;

beforeEach(async () => {
  now = 1_000;
  live = null;
  const ages = Object.fromEntries(RESOURCES.map((name) => [`CACHE_${name.toUpperCase()}_TTL`, `${LONG}`]));
  site = await startSiteUnderTest(
    {
      ...ages,
      CACHE_TOPIC_TTL: `${TOPIC.ttl}`,
      CACHE_TOPIC_SWR: `${TOPIC.swr}`,
      CACHE_TOPIC_SIE: `${TOPIC.sie}`,
    },
    { clock: () => now * 1000, random: () => 0.5 },
  );
});

afterEach(async () => {
  live?.close();
  await site.close();
});

const ops = () => request(site.ops);

/** Returns the distinct `Cache-Status` values of `times` sequential requests for a path. */
async function read(path: string, times = 1): Promise<string> {
  const told = new Set<string>();
  for (let reader = 0; reader < times; reader++) {
    const { headers } = await request(site.origin).get(path).expect(200);
    told.add(headers['cache-status'] ?? '');
  }
  return [...told].join(' and ');
}

/** Looking at an explanation counts no reader. */
async function refreshed(): Promise<void> {
  const state = async () => (await ops().get('/cache/explain').query({ url: PAGE })).body.state;
  await expect.poll(state, { timeout: 10_000 }).toBe('fresh');
}

/** The counts of a resource in all places that tell them; they must not differ. */
async function counts(resource: string): Promise<Record<string, number>> {
  const { body } = await ops().get('/cache').expect(200);
  const { hits, staleHits, misses, coalesced, refreshes, errors } = body[resource];
  const counted = { hits, staleHits, misses, coalesced, refreshes, errors };
  const { text } = await ops().get('/metrics').expect(200);
  for (const [outcome, count] of Object.entries(counted))
    expect(text).toContain(`cache_outcomes_total{resource="${resource}",outcome="${outcome}"} ${count}\n`);
  expect((await figures()).resources[resource]).toMatchObject(counted);
  return counted;
}

/** The live figures of a moment after this call. */
async function figures(): Promise<LiveMetrics> {
  const asked = new Date().toISOString();
  live ??= await openLive(site.ops);
  for (;;) {
    const event = await live.next('figures');
    if (!event) throw new Error('the stream has ended');
    const seen: LiveMetrics = JSON.parse(event.data);
    if (seen.at > asked) return seen;
  }
}

describe('readers of a page and of its data', () => {
  it('are counted by what they were served: fresh, stale, stale because a load failed, or after a load', async () => {
    // Fresh.
    expect(await read(PAGE)).toBe('page; fwd=miss');
    expect(await read(PAGE, 3)).toBe('page; hit; ttl=10');
    now += 4;
    expect(await read(API, 2)).toBe('data; hit; ttl=6');
    expect(await read(PAGE, 2)).toBe('page; hit; ttl=6');
    expect(await counts('topic')).toEqual({ ...NOTHING, hits: 7, misses: 1 });

    // Stale, while a slow refresh runs behind all of them.
    await site.faults([{ path: '/api/post/topic/*', kind: 'latency', ms: REFRESH_MS }]);
    now += 9;
    expect(await read(PAGE, 4)).toBe('page; hit; ttl=-3');
    expect(await read(API, 2)).toBe('data; hit; ttl=-3');
    await refreshed();
    await site.faults([]);
    expect(await counts('topic')).toEqual({ ...NOTHING, hits: 7, staleHits: 6, misses: 1, refreshes: 1 });

    // The refresh brought the same: the page is fresh again without being made again.
    expect(await read(PAGE, 2)).toBe('page; hit; ttl=10');
    expect(await read(API)).toBe('data; hit; ttl=10');

    // Too old, and its load fails: the first waits, the next do not.
    await site.faults([{ path: '/api/post/topic/*', kind: 'status', status: 500 }]);
    now += 31;
    expect(await read(PAGE)).toBe('page; fwd=stale');
    expect(await read(PAGE, 2)).toBe('page; hit; ttl=-21');
    expect(await read(API)).toBe('data; hit; ttl=-21');
    const failing = await counts('topic');
    expect(failing).toEqual({ ...NOTHING, hits: 10, staleHits: 10, misses: 1, refreshes: 1, errors: 1 });

    // Too old, and its load brings something.
    await site.faults([]);
    now += 11;
    expect(await read(PAGE)).toBe('page; fwd=stale');
    expect(await read(API)).toBe('data; hit; ttl=10');

    // Gone.
    await ops()
      .post('/cache/purge')
      .send({ tags: ['topic'] })
      .expect(200);
    expect(await read(API)).toBe('data; fwd=miss');
    expect(await read(PAGE)).toBe('page; hit; ttl=10');
    now += TOPIC.ttl + TOPIC.swr + TOPIC.sie;
    expect(await read(PAGE)).toBe('page; fwd=miss');

    expect(await counts('topic')).toEqual({
      hits: 12,
      staleHits: 10,
      misses: 4,
      coalesced: 0,
      refreshes: 1,
      errors: 1,
    });
    // What else the page is made of was fresh all the time; the API call reads less of it.
    const pages = 1 + 3 + 2 + 4 + 2 + 3 + 1 + 1 + 1;
    const calls = 2 + 2 + 1 + 1 + 1 + 1;
    expect(await counts('ads')).toEqual({ ...NOTHING, hits: pages + calls - 1, misses: 1 });
    expect(await counts('navigation')).toEqual({ ...NOTHING, hits: 3 * (pages - 1), misses: 3 });
    const { body } = await ops().get('/cache/simulate?resource=topic&ttl=10').expect(200);
    expect(body.requests).toBe(12 + 10 + 4);
  });

  it('who come together are counted as one who waits for the load and others who wait for it too', async () => {
    await site.faults([{ path: '/api/post/topic/*', kind: 'latency', ms: 300 }]);
    expect(await Promise.all([read(PAGE), read(PAGE), read(API)])).toEqual([
      'page; fwd=miss',
      'page; fwd=miss',
      'data; fwd=miss',
    ]);
    expect(await counts('topic')).toEqual({ ...NOTHING, misses: 1, coalesced: 2 });
  });

  it('make the ratios of the live stream', async () => {
    live = await openLive(site.ops);
    await figures();
    await read(PAGE);
    await site.faults([{ path: '/api/post/topic/*', kind: 'latency', ms: REFRESH_MS }]);
    now += 12;
    await read(PAGE, 3);
    const { resources, readers } = await figures();
    expect(resources['topic']?.minute).toMatchObject({ hitRatio: 3 / 4, staleRatio: 3 / 4 });
    expect(readers.pageHitRatio).toBe(3 / 4);
  });
});

describe('a redirect', () => {
  it('is no render of 0 ms, and no page from the cache', async () => {
    await request(site.origin).get('/topic/news?page=99999').expect(302);
    const { text } = await ops().get('/metrics').expect(200);
    expect(text).toContain('page_render_duration_seconds_count 0\n');
    await read('/about');
    const { readers } = await figures();
    expect(readers.pageHitRatio ?? 0).toBe(0);
    expect((await ops().get('/metrics')).text).toContain('page_render_duration_seconds_count 1\n');
  });
});

const NOTHING = { hits: 0, staleHits: 0, misses: 0, coalesced: 0, refreshes: 0, errors: 0 };

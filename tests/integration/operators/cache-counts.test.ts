import { setImmediate } from 'node:timers/promises';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildDemoCms } from '#demo/demo-cms.ts';
import { RESOURCES } from '#shared/models/resources-and-policies.ts';
import { type FakeClock, fakeClock } from '../../fixtures/clocks.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

/** Seconds: only topics go stale while a test runs. */
const LONG = 100_000;
/** In milliseconds. */
const SECOND = 1_000;
const TOPIC = { ttl: 10, swr: 20, sie: 60 };
const PAGE = '/topic/news';
const API = '/api/topics/news';

let demoCms: ReturnType<typeof buildDemoCms>;
/** Calls for topics get their response when it resolves. */
let held: Promise<void>;
let site: SiteUnderTest;
let clock: FakeClock;

beforeEach(async () => {
  clock = fakeClock({ now: Date.now(), monotonic: 1_000 * SECOND });
  held = Promise.resolve();
  demoCms = buildDemoCms({ dataDir: null, faults: true });
  demoCms.addHook('preHandler', async ({ url }) => {
    if (url.startsWith('/api/post/topic/')) await held;
  });
  const origin = await demoCms.listen({ port: 0, host: '127.0.0.1' });
  const ttls = Object.fromEntries(RESOURCES.map((name) => [`CACHE_${name.toUpperCase()}_TTL`, `${LONG}`]));
  site = await startSiteUnderTest(
    {
      ...ttls,
      CACHE_TOPIC_TTL: `${TOPIC.ttl}`,
      CACHE_TOPIC_SWR: `${TOPIC.swr}`,
      CACHE_TOPIC_SIE: `${TOPIC.sie}`,
    },
    { clock, random: () => 0.5, demoCms: origin },
  );
});

afterEach(async () => {
  vi.useRealTimers();
  await site.close();
  await demoCms.close();
});

/** Makes calls for topics wait. Returns what lets them go on. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  return resolve;
}

const ops = () => request(site.ops);

/** Returns the distinct `Cache-Status` values of `times` sequential requests for a path. */
async function read(path: string, times = 1): Promise<string> {
  const statuses = new Set<string>();
  for (let reader = 0; reader < times; reader++) {
    const { headers } = await request(site.origin).get(path).expect(200);
    statuses.add(headers['cache-status'] ?? '');
  }
  return [...statuses].join(' and ');
}

/** Returns the `Cache-Status` of requests that all have come before a call for a topic gets its response. */
async function readTogether(paths: string[]): Promise<string[]> {
  const endLoad = hold();
  let arrived = 0;
  site.servers.readers.on('request', () => arrived++);
  const reads = Promise.all(paths.map((path) => read(path)));
  await expect.poll(() => arrived).toBe(paths.length);
  // Nothing on its way to the look-up waits for input.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  endLoad();
  return reads;
}

/** Inspecting counts as no read. */
async function refreshed(): Promise<void> {
  const state = async () => (await ops().get('/cache/explain').query({ url: PAGE })).body.state;
  await expect.poll(state).toBe('fresh');
}

/** Returns the counts of a resource, which must be the same in `/cache` and `/metrics`. */
async function counts(resource: string): Promise<Record<string, number>> {
  const { body } = await ops().get('/cache').expect(200);
  const { hits, staleHits, misses, coalesced, refreshes, errors } = body[resource];
  const counted = { hits, staleHits, misses, coalesced, refreshes, errors };
  const { text } = await ops().get('/metrics').expect(200);
  const results = { hit: hits, stale: staleHits, miss: misses, coalesced, error: errors };
  for (const [result, count] of Object.entries(results))
    expect(text).toContain(`cache_requests_total{resource="${resource}",result="${result}"} ${count}\n`);
  return counted;
}

describe('reads of a page and of its data', () => {
  it('are counted by what was served: fresh, stale, stale because a load failed, or after a load', async () => {
    // Fresh.
    expect(await read(PAGE)).toBe('page; fwd=miss');
    expect(await read(PAGE, 3)).toBe('page; hit; ttl=10');
    clock.monotonicMs += 4 * SECOND;
    expect(await read(API, 2)).toBe('data; hit; ttl=6');
    expect(await read(PAGE, 2)).toBe('page; hit; ttl=6');
    expect(await counts('topic')).toEqual({ ...NOTHING, hits: 7, misses: 1 });
    // Three at once, four after four seconds.
    expect((await ops().get('/cache')).body.topic.servedAgeSeconds).toBe(16);
    expect((await ops().get('/metrics')).text).toContain(
      'cache_served_age_seconds_total{resource="topic"} 16\n',
    );

    // Stale, while a slow refresh runs behind all of them.
    const endRefresh = hold();
    clock.monotonicMs += 9 * SECOND;
    expect(await read(PAGE, 4)).toBe('page; hit; ttl=-3');
    expect(await read(API, 2)).toBe('data; hit; ttl=-3');
    endRefresh();
    await refreshed();
    expect(await counts('topic')).toEqual({ ...NOTHING, hits: 7, staleHits: 6, misses: 1, refreshes: 1 });

    // The refresh brought the same value: the page is fresh again without a render.
    expect(await read(PAGE, 2)).toBe('page; hit; ttl=10');
    expect(await read(API)).toBe('data; hit; ttl=10');

    // No wait for a load ends before it, however long a busy machine takes.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

    // Past SWR, and its load fails: the first waits, the next do not.
    await site.faults([{ path: '/api/post/topic/*', kind: 'status', status: 500 }]);
    clock.monotonicMs += 31 * SECOND;
    expect(await read(PAGE)).toBe('page; fwd=stale');
    expect(await read(PAGE, 2)).toBe('page; hit; ttl=-21');
    expect(await read(API)).toBe('data; hit; ttl=-21');
    const failing = await counts('topic');
    expect(failing).toEqual({ ...NOTHING, hits: 10, staleHits: 10, misses: 1, refreshes: 1, errors: 1 });

    // Past SWR, and its load succeeds.
    await site.faults([]);
    clock.monotonicMs += 11 * SECOND;
    expect(await read(PAGE)).toBe('page; fwd=stale');
    expect(await read(API)).toBe('data; hit; ttl=10');

    // Purged.
    await ops()
      .post('/cache/purge')
      .send({ tags: ['topic'] })
      .expect(200);
    expect(await read(API)).toBe('data; fwd=miss');
    expect(await read(PAGE)).toBe('page; hit; ttl=10');
    clock.monotonicMs += (TOPIC.ttl + TOPIC.swr + TOPIC.sie) * SECOND;
    expect(await read(PAGE)).toBe('page; fwd=miss');

    expect(await counts('topic')).toEqual({
      hits: 12,
      staleHits: 10,
      misses: 4,
      coalesced: 0,
      refreshes: 1,
      errors: 1,
    });
    // The page's other dependencies were fresh all the time; the API call reads fewer of them.
    const pages = 1 + 3 + 2 + 4 + 2 + 3 + 1 + 1 + 1;
    const calls = 2 + 2 + 1 + 1 + 1 + 1;
    expect(await counts('ads')).toEqual({ ...NOTHING, hits: pages + calls - 1, misses: 1 });
    expect(await counts('navigation')).toEqual({ ...NOTHING, hits: 3 * (pages - 1), misses: 3 });
    const { body } = await ops().get('/cache/simulate?resource=topic&ttl=10').expect(200);
    expect(body.requests).toBe(12 + 10 + 4);
  });

  it('that coincide are counted as one miss, and the others as coalesced', async () => {
    expect(await readTogether([PAGE, PAGE, API])).toEqual([
      'page; fwd=miss',
      'page; fwd=miss',
      'data; fwd=miss',
    ]);
    expect(await counts('topic')).toEqual({ ...NOTHING, misses: 1, coalesced: 2 });
  });

  it('that coincide make one call while the cache is bypassed', async () => {
    await read(PAGE);
    await site.forgetCalls();
    await ops().patch('/cache/mode').send({ mode: 'bypass' }).expect(200);
    const statuses = await readTogether(Array.from({ length: 20 }, () => PAGE));
    expect(statuses.filter((status) => !status.startsWith('page; fwd='))).toEqual([]);
    expect((await site.calls())[`GET /api/post${PAGE}`]).toBe(1);
  });

  it('make one hit ratio: that of the Cache-Status of the responses', async () => {
    await read(PAGE);
    const endRefresh = hold();
    await read(PAGE, 2);
    clock.monotonicMs += 12 * SECOND;
    await read(PAGE, 3);
    await request(site.origin).get('/healthz').expect(200);
    await request(site.origin).get('/assets/none.js').expect(404);
    endRefresh();
    const { text } = await ops().get('/metrics').expect(200);
    for (const [result, count] of Object.entries({ hit: 2, stale: 3, miss: 1 }))
      expect(text).toContain(`response_cache_requests_total{result="${result}"} ${count}\n`);
  });
});

describe('a redirect', () => {
  it('counts as no render and as no cache hit', async () => {
    await request(site.origin).get('/topic/news?page=99999').expect(302);
    const { text } = await ops().get('/metrics').expect(200);
    expect(text).toContain('render_duration_seconds_count 0\n');
    await read('/about');
    const after = (await ops().get('/metrics')).text;
    expect(after).toContain('render_duration_seconds_count 1\n');
    expect(after).not.toContain('response_cache_requests_total{result="stale"}');
  });
});

const NOTHING = { hits: 0, staleHits: 0, misses: 0, coalesced: 0, refreshes: 0, errors: 0 };

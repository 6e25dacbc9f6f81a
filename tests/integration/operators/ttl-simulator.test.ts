import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let dir: string;
let site: SiteUnderTest;
let article: string;
/** Milliseconds. It stands still while the test does not advance it. */
let now = 0;

const start = () => startSiteUnderTest({ DATA_DIR: dir }, { clock: () => now, random: () => 0.5 });
const ops = () => request(site.ops);
const compared = async (a: string, b: string, minutes = 60) =>
  (await ops().get(`/cache/compare?resource=article&a=${a}&b=${b}&minutes=${minutes}`).expect(200)).body;

/** One reader each twenty seconds for ninety minutes. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ttl-simulator-'));
  site = await start();
  const [latest] = await (await fetch(`${site.demoCms}/api/post/latest`)).json();
  article = `/${latest.cat_slug}/${latest.post_name}`;
  for (let reader = 0; reader < 270; reader++) {
    await request(site.origin).get(article).expect(200);
    now += 20_000;
  }
});

afterAll(async () => {
  await site.close();
  await rm(dir, { recursive: true, force: true });
});

describe('two policies compared', () => {
  it('are simulated on the same recorded hour', async () => {
    const body = await compared('60,600', '600,600');
    expect(body).toMatchObject({ resource: 'article', observedSeconds: 3_600, requests: 180, sampleRate: 1 });
    expect(body.a.policy).toEqual({ ttl: 60, swr: 600, sie: 86_400 });
    expect(body.b.policy).toEqual({ ttl: 600, swr: 600, sie: 86_400 });
    // A reader each 20 s: the first past 60 s is the fourth, at 80 s at most.
    expect(body.a.effect.upstreamCallsPerMinute).toBeCloseTo(1, 0);
    expect(body.b.effect.upstreamCallsPerMinute).toBeCloseTo(0.1, 1);
    expect(body.b.effect.meanStalenessSeconds).toBeGreaterThan(5 * body.a.effect.meanStalenessSeconds);
  });

  it('are equal where they are the same', async () => {
    const { a, b } = await compared('60,600', '60,600');
    expect(a).toEqual(b);
  });

  it('know what was cached when the hour begins: no read waits then', async () => {
    const { a, requests } = await compared('7200,0', '0,0', 30);
    expect(requests).toBe(90);
    expect(a.effect).toMatchObject({ hitRatio: 1 });
  });

  it.each([
    'resource=nothing&a=1,1&b=1,1',
    'resource=article&a=1,1',
    'resource=article&a=1&b=1,1',
    'resource=article&a=1,1,1&b=1,1',
    'resource=article&a=-1,1&b=1,1',
    'resource=article&a=1,1&b=31536001,1',
    'resource=article&a=1,1&b=1,1&minutes=361',
    'resource=article&a=1,1&b=1,1&hours=1',
  ])('rejects %s', async (query) => {
    const { status, type } = await ops().get(`/cache/compare?${query}`);
    expect(status).toBe(query.includes('nothing') ? 404 : 400);
    expect(type).toBe('application/problem+json');
  });
});

describe('the curve of a resource', () => {
  const curve = async (query: string) => (await ops().get(`/cache/advice/curve?${query}`)).body;

  it('tells upstream requests saved and staleness added, by TTL', async () => {
    const { current, points, requests } = await curve('resource=article');
    expect(requests).toBe(180);
    expect(current.policy.ttl).toBe(60);
    const ttls = points.map((point: { policy: { ttl: number } }) => point.policy.ttl);
    expect(ttls).toEqual([...ttls].sort((one: number, other: number) => one - other));
    for (const point of points) {
      const isLonger = point.policy.ttl > 60;
      if (point.policy.ttl === 60)
        expect(point).toMatchObject({ savedUpstreamCallsPerMinute: 0, addedStalenessSeconds: 0 });
      else if (isLonger) expect(point.addedStalenessSeconds).toBeGreaterThan(0);
      else expect(point.savedUpstreamCallsPerMinute).toBeLessThanOrEqual(0);
    }
  });

  it('has points of which each can be applied', async () => {
    const { points } = await curve('resource=article');
    const point = points.find(({ policy }: { policy: { ttl: number } }) => policy.ttl === 600);
    const { body } = await ops().patch('/cache/policies/article').send(point.policy).expect(200);
    expect(body).toMatchObject({ ...point.policy, changed: true });
    const after = await curve('resource=article');
    expect(after.current.effect).toEqual(point.effect);
    await ops().delete('/cache/policies/article').expect(200);
  });

  it('is of nulls where nothing was read', async () => {
    const { points, requests } = await curve('resource=search');
    expect(requests).toBe(0);
    expect(points[0]).toMatchObject({ savedUpstreamCallsPerMinute: null, addedStalenessSeconds: null });
  });

  it.each(['resource=nothing', '', 'resource=article&minutes=0'])('rejects "%s"', async (query) => {
    const { status } = await ops().get(`/cache/advice/curve?${query}`);
    expect(status).toBe(query === 'resource=nothing' ? 404 : 400);
  });
});

// Last: it starts the site anew.
it('the recorded hour is there after a restart', async () => {
  const before = await compared('60,600', '600,600');
  await site.close();
  site = await start();
  const after = await compared('60,600', '600,600');
  // Cache warming reads the page that was requested last.
  expect([before.requests, before.requests + 1]).toContain(after.requests);
  expect(after.a.effect.upstreamCallsPerMinute).toBeCloseTo(before.a.effect.upstreamCallsPerMinute, 1);
  expect(after.b.effect.meanStalenessSeconds).toBeCloseTo(before.b.effect.meanStalenessSeconds, -1);
});

import request from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fakeClock } from '../../fixtures/clocks.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;
const clock = fakeClock({ now: Date.now() });

const ops = () => request(site.ops);
const simulated = async (query: string) => (await ops().get(`/cache/simulate?${query}`).expect(200)).body;

/** One reader each twenty seconds for ninety minutes. */
beforeAll(async () => {
  site = await startSiteUnderTest({}, { clock, random: () => 0.5 });
  const [latest] = await (await fetch(`${site.demoCms}/api/post/latest`)).json();
  for (let reader = 0; reader < 270; reader++) {
    await request(site.origin).get(`/${latest.cat_slug}/${latest.post_name}`).expect(200);
    clock.monotonicMs += 20_000;
  }
});

afterAll(() => site.close());

it('each candidate is replayed on what readers of pages read', async () => {
  const { candidates, ...about } = await simulated('resource=article&ttl=60,600');
  expect(about).toMatchObject({ resource: 'article', observedSeconds: 5_400, requests: 270, sampleRate: 1 });
  expect(about.current).toEqual(candidates[0]);
  // A reader each 20 s: the first past 60 s is the fourth, at 80 s at most.
  expect(candidates[0].upstreamCallsPerMinute).toBeCloseTo(1, 0);
  expect(candidates[1].upstreamCallsPerMinute).toBeCloseTo(0.1, 1);
  expect(candidates[1].meanStalenessSeconds).toBeGreaterThan(5 * candidates[0].meanStalenessSeconds);
  expect(candidates[0].hitRatio).toBeGreaterThan(0.99);
});

it('a shorter SWR makes readers wait', async () => {
  const { candidates } = await simulated('resource=article&ttl=10&swr=5');
  expect(candidates[0]).toMatchObject({ hitRatio: 0, upstreamCallsPerMinute: 3 });
});

it('nothing is foretold of what was not read', async () => {
  const { candidates, requests } = await simulated('resource=search&ttl=60');
  expect(requests).toBe(0);
  expect(candidates[0]).toMatchObject({ ttl: 60, hitRatio: null, upstreamCallsPerMinute: null });
});

it.each([
  ['resource=nothing&ttl=1', 404],
  ['resource=article', 400],
  ['resource=article&ttl=1,x', 400],
  ['resource=article&ttl=-1', 400],
  ['resource=article&ttl=1e99', 400],
  ['resource=article&ttl=31536001', 400],
  ['resource=article&ttl=1&hours=1', 400],
])('rejects %s', async (query, status) => {
  const response = await ops().get(`/cache/simulate?${query}`);
  expect(response.status).toBe(status);
  expect(response.type).toBe('application/problem+json');
});

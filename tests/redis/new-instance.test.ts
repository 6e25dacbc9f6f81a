import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/** Long: no test depends on how busy its machine is. */
const redisBudgetMs = 5_000;

let redis: RedisServer;
let first: SiteUnderTest;

beforeAll(async () => {
  redis = await startRedis();
  first = await startSiteUnderTest({ REDIS_URL: redis.url }, { redisBudgetMs });
});
afterAll(async () => {
  await first.close();
  await redis.stop();
});

const contentCalls = async () =>
  Object.keys(await first.calls()).filter((call) => call.startsWith('GET /api/'));

it('serves what the others have cached from its first request on', async () => {
  expect((await fetch(`${first.origin}/topic/news`)).status).toBe(200);
  // Entries are stored in the background, one for each call.
  const connection = new Redis(redis.url);
  const stored = async () => (await connection.keys('*:copy:*')).length;
  const loaded = (await contentCalls()).length;
  expect(loaded).toBeGreaterThan(1);
  await expect.poll(stored).toBe(loaded);
  connection.disconnect();
  await first.forgetCalls();
  const env = {
    REDIS_URL: redis.url,
    API_HOST: first.demoCms,
    IMAGE_HOST: `${first.demoCms}/media`,
  };
  const second = await startSiteUnderTest(env, {
    redisBudgetMs,
    demoCms: first.demoCms,
    awaitsRedis: false,
  });
  try {
    expect((await fetch(`${second.origin}/topic/news`)).status).toBe(200);
    expect(await contentCalls()).toEqual([]);
  } finally {
    await second.close();
  }
});

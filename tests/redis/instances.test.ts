import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

let redis: RedisServer;
let first: SiteUnderTest;
let second: SiteUnderTest;

beforeEach(async () => {
  redis = await startRedis();
  const env = { REDIS_URL: redis.url, RATE_LIMIT_READ: '30', RATE_LIMIT_WRITE: '3', TRUST_PROXY: 'true' };
  first = await startSiteUnderTest(env);
  second = await startSiteUnderTest(env, { demoCms: first.demoCms });
});

afterEach(async () => {
  await second.close();
  await first.close();
  await redis.stop();
});

/** Retries for long enough on a busy machine. */
function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}

async function calls(): Promise<number> {
  const counted = Object.entries(await first.calls()).filter(([call]) => call.startsWith('GET /api/'));
  return counted.reduce((sum, [, count]) => sum + count, 0);
}

async function subscribe(site: SiteUnderTest, address = '203.0.113.254'): Promise<number> {
  const { status } = await fetch(`${site.origin}/api/subscriptions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email: 'no address' }),
  });
  return status;
}

it('a page that one instance has rendered needs no upstream call on another', async () => {
  const connection = new Redis(redis.url);
  // A look-up in Redis is given up after 20 ms, an entry is not stored in the second after that, and this machine may be
  // busy: then the next topic is tried.
  const topics = ['news', 'interview', 'podcasts', 'insights', 'feature', 'events'];
  await eventually(async () => {
    const topic = topics.shift() ?? 'none is left';
    const before = (await connection.keys('*:cache:*')).length;
    await first.forgetCalls();
    expect((await fetch(`${first.origin}/topic/${topic}`)).status).toBe(200);
    const loaded = await calls();
    // Entries are stored in the background, one for each call.
    const areStored = async () => expect(await connection.keys('*:cache:*')).toHaveLength(before + loaded);
    await vi.waitFor(areStored, { timeout: 5_000, interval: 20 });
    await first.forgetCalls();
    expect((await fetch(`${second.origin}/topic/${topic}`)).status).toBe(200);
    expect(await calls()).toBe(0);
  });
  connection.disconnect();
});

it('a purge on one instance purges the other', async () => {
  const age = async (site: SiteUnderTest) => {
    const explained = await (await fetch(`${site.ops}/cache/explain?url=/events`)).json();
    return JSON.stringify(explained);
  };
  // What is in force at a start may be read from Redis only after the first page, which is stale then.
  await eventually(async () => {
    for (const site of [first, second]) await (await fetch(`${site.origin}/events`)).text();
    expect(await age(second)).toContain('"state":"fresh"');
  });
  await fetch(`${first.ops}/cache/purge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ all: true }),
  });
  await eventually(async () => expect(await age(second)).not.toContain('"state":"fresh"'));
});

it('a policy that an operator changes on one instance applies on the other', async () => {
  const changed = await fetch(`${first.ops}/cache/policies/topic`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ttl: 7 }),
  });
  expect(changed.status).toBe(200);
  await eventually(async () => {
    const policies = await (await fetch(`${second.ops}/cache/policies`)).json();
    expect(policies.topic.ttl).toBe(7);
  });
});

it('a client’s form posts are counted together', async () => {
  let clients = 0;
  // A command that is given up on a busy machine has each count for itself for a second: then for another client, later.
  const countTogether = async () => {
    const address = `203.0.113.${++clients}`;
    const statuses: number[] = [];
    for (const site of [first, second, first, second, first]) statuses.push(await subscribe(site, address));
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
  };
  await vi.waitFor(countTogether, { timeout: 60_000, interval: 1_500 });
});

it('a client’s reads are counted by each instance', async () => {
  for (let read = 0; read < 30; read++) await (await fetch(`${first.origin}/robots.txt`)).text();
  expect((await fetch(`${first.origin}/robots.txt`)).status).toBe(429);
  expect((await fetch(`${second.origin}/robots.txt`)).status).toBe(200);
});

it('without Redis every page is served, and each instance counts for itself', async () => {
  await redis.stop();
  for (const site of [first, second]) {
    expect((await fetch(site.origin)).status).toBe(200);
    expect([await subscribe(site), await subscribe(site), await subscribe(site)]).toEqual([400, 400, 400]);
    expect(await subscribe(site)).toBe(429);
  }
  redis = await startRedis();
});

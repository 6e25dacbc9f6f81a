import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RateLimitStore } from '#server/http/rate-limit/rate-limit-store.ts';
import { createRateLimitWindows } from '#server/redis/rate-limit-windows.ts';
import { connectRedis, type RedisClient } from '#server/redis/redis-client.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/** The rate limit of several instances on a real Redis. */
const clock = () => performance.now();
const quiet = { warn: () => undefined };

let server: RedisServer;
let redis: Redis;
let clients: RedisClient[];

beforeEach(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.close();
  redis.disconnect();
  await server.stop();
});

/** Requests to each store every 5 ms: far more than the limit in each window, also where timers are late. */
const BURST = 20;

/** Resolves when its client is connected. */
async function startStore(options: { windowMs?: number; waitsForRedis?: boolean; timeoutMs?: number } = {}) {
  const { windowMs = 60_000, waitsForRedis = false, timeoutMs = 5_000 } = options;
  const client = await connectRedis({ url: server.url, logger: quiet, clock, timeoutMs });
  clients.push(client);
  await expect.poll(client.isUp).toBe(true);
  const shared = createRateLimitWindows(client, 'test', windowMs);
  return new RateLimitStore({ clock, windowMs, shared, waitsForRedis });
}

function incr(store: RateLimitStore, client: string): Promise<number> {
  return new Promise((resolve) => store.incr(client, (_error, counted) => resolve(counted?.current ?? 0)));
}

it('a client that never stops sending to two instances is allowed again each time its window ends', async () => {
  const max = 40;
  const stores = [await startStore({ windowMs: 700 }), await startStore({ windowMs: 700 })];
  const turns = new Map(stores.map((store) => [store, { wasAllowed: false, times: 0 }]));
  const requesting = setInterval(() => {
    for (const [store, turn] of turns) {
      for (let request = 0; request < BURST; request++) {
        const isAllowed = store.countUpTo(max, 'one');
        if (!isAllowed) void incr(store, 'one');
        if (isAllowed && !turn.wasAllowed) turn.times++;
        turn.wasAllowed = isAllowed;
      }
    }
  }, 5);
  try {
    for (const turn of turns.values()) await expect.poll(() => turn.times).toBeGreaterThanOrEqual(4);
  } finally {
    clearInterval(requesting);
  }
});

it('concurrent form posts to two instances are counted exactly', async () => {
  const stores = [await startStore({ waitsForRedis: true }), await startStore({ waitsForRedis: true })];
  const counted = await Promise.all(
    Array.from({ length: 25 }, () => stores.map((store) => incr(store, 'one'))).flat(),
  );
  expect(counted.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
});

it('Redis stores a hash of the client, which expires after a minute', async () => {
  await incr(await startStore({ waitsForRedis: true }), '203.0.113.7');
  const [key = '', ...more] = await redis.keys('*');
  expect(more).toEqual([]);
  expect(key).toMatch(/^test:[\w-]{43}$/);
  const left = await redis.pttl(key);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(60_000);
});

it.each([
  ['never', (key: string) => redis.persist(key)],
  ['in a day, as after a step of Redis’ clock', (key: string) => redis.pexpire(key, 86_400_000)],
])('a window that would expire %s expires in a minute', async (_when, change) => {
  const store = await startStore({ waitsForRedis: true });
  await incr(store, 'one');
  const [key = ''] = await redis.keys('*');
  await change(key);
  expect(await incr(store, 'one')).toBe(2);
  const left = await redis.pttl(key);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(60_000);
});

it('where the key holds another type, or Redis hangs, each instance counts for itself', async () => {
  const store = await startStore({ waitsForRedis: true });
  await incr(store, 'one');
  const [key = ''] = await redis.keys('*');
  await redis.multi().del(key).hset(key, 'a', 'b').exec();
  expect([await incr(store, 'one'), await incr(store, 'one')]).toEqual([2, 3]);
  const shortTimeoutStore = await startStore({ waitsForRedis: true, timeoutMs: 50 });
  server.hang();
  expect([await incr(shortTimeoutStore, 'two'), await incr(shortTimeoutStore, 'two')]).toEqual([1, 2]);
  server.resume();
});

import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRateLimitStore, type RateLimitStore, WINDOW_MS } from '#server/http/rate-limit.ts';
import { connectRedis, type RedisClient, type RedisClientOptions } from '#server/redis/redis-client.ts';
import { createRateLimitWindows } from '#server/redis/redis-services.ts';
import { systemClock } from '#server/time.ts';
import { startRedisProxy } from './redis-proxy.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/** The limits of several instances on a real Redis. */
const quiet: RedisClientOptions['logger'] = { warn: () => undefined };

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

/** Long, except in the test of that: a busy machine may be too slow for the deadline of a command. */
const AMPLE_MS = 30_000;

/** Resolves when it is connected. */
async function connectClient({ url = server.url, logger = quiet, commandTimeoutMs = AMPLE_MS } = {}) {
  const client = await connectRedis({ url, logger, clock: systemClock, commandTimeoutMs });
  clients.push(client);
  await expect.poll(client.isUp).toBe(true);
  return client;
}

async function startStore(commandTimeoutMs?: number) {
  const client = await connectClient({ commandTimeoutMs });
  return createRateLimitStore(systemClock, createRateLimitWindows(client, 'test'));
}

function incr(store: RateLimitStore, client: string): Promise<number> {
  return new Promise((resolve) => store.incr(client, (_error, counted) => resolve(counted?.current ?? 0)));
}

it('two instances count together, in a window that begins with the first request', async () => {
  const [first, second] = [await startStore(), await startStore()];
  expect([await incr(first, 'one'), await incr(second, 'one'), await incr(first, 'one')]).toEqual([1, 2, 3]);
  const [key = ''] = await redis.keys('test:*');
  expect(await redis.pttl(key)).toBeLessThanOrEqual(WINDOW_MS);
  await redis.pexpire(key, 1);
  await expect.poll(() => redis.exists(key)).toBe(0);
  expect(await incr(second, 'one')).toBe(1);
});

it('a window ends within a minute where Redis’ clock is set back a day', async () => {
  const client = await connectClient();
  const windows = createRateLimitWindows(client, 'test');
  await windows.count('one');
  const [key = ''] = await redis.keys('test:*');
  await redis.pexpire(key, 86_400_000);
  const counted = await windows.count('one');
  expect(counted?.requests).toBe(2);
  expect(counted?.endsInMs).toBeLessThanOrEqual(WINDOW_MS);
});

it('a connection that ends while a request is counted leaves no window without an end', async () => {
  const proxy = await startRedisProxy(Number(new URL(server.url).port));
  const client = await connectClient({ url: proxy.url });
  const windows = createRateLimitWindows(client, 'test');
  await windows.count('one');
  const [key = ''] = await redis.keys('test:*');
  await redis.del(key);
  proxy.cutAfter(`incr\r\n$${key.length}\r\n${key}\r\n`);
  expect(await windows.count('one')).toBeNull();
  client.close();
  await expect.poll(() => redis.client('LIST', 'TYPE', 'NORMAL')).not.toMatch(/\n./);
  expect(await redis.exists(key)).toBe(0);
  proxy.close();
});

it('a reply that came while the process was busy counts, though its deadline is over', async () => {
  const windows = createRateLimitWindows(await connectClient({ commandTimeoutMs: 400 }), 'test');
  await windows.count('one');
  const counted = windows.count('one');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  expect(await counted).toMatchObject({ requests: 2 });
});

it('the log says in Redis’ words why it refused a command', async () => {
  const reasons: unknown[] = [];
  const warn = ({ reason }: { reason?: unknown }) => void reasons.push(reason);
  const client = await connectClient({ logger: { warn } });
  const windows = createRateLimitWindows(client, 'test');
  await windows.count('one');
  const [key = ''] = await redis.keys('test:*');
  await redis.multi().del(key).rpush(key, 'text').exec();
  expect(await windows.count('one')).toBeNull();
  expect(reasons).toEqual([expect.stringContaining('WRONGTYPE')]);
});

it('the address of a client is not in Redis', async () => {
  await incr(await startStore(), '203.0.113.7');
  expect((await redis.keys('*')).join()).not.toContain('203.0.113.7');
});

it.each<[string, number, () => Promise<unknown> | unknown]>([
  ['is silent', 250, () => server.hang()],
  ['is read-only', AMPLE_MS, () => redis.replicaof('127.0.0.1', 1)],
  [
    'has another type under each key',
    AMPLE_MS,
    async () => {
      for (const key of await redis.keys('test:*')) await redis.multi().del(key).rpush(key, 'poison').exec();
    },
  ],
])(
  'a Redis that %s lifts no limit: the instance counts for itself, all that it has seen',
  async (_what, commandTimeoutMs, spoil) => {
    const store = await startStore(commandTimeoutMs);
    expect(await incr(store, 'one')).toBe(1);
    await spoil();
    expect([await incr(store, 'one'), await incr(store, 'one')]).toEqual([2, 3]);
    server.resume();
  },
);

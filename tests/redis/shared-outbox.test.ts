import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterSystemTime } from '#server/outbox/clock.ts';
import type { OutgoingItem } from '#server/outbox/deliver.ts';
import { type Outbox, openOutbox } from '#server/outbox/outbox.ts';
import { linkRedis } from '#server/redis/redis-link.ts';
import { createSharedOutbox } from '#server/redis/shared-outbox.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

const contact = { first_name: 'Ada', email: 'ada@example.com', message: 'Secret' };
const logger = { warn: () => undefined, error: () => undefined };

let redis: RedisServer;
let client: Redis;
let delivered: OutgoingItem[];
let status: () => Promise<{ status: number }>;
let cleanups: (() => Promise<void> | void)[];

beforeEach(async () => {
  redis = await startRedis();
  client = new Redis(redis.url);
  client.on('error', () => undefined);
  delivered = [];
  status = async () => ({ status: 201 });
  cleanups = [];
});

afterEach(async () => {
  status = async () => ({ status: 201 });
  for (const cleanup of cleanups.toReversed()) await cleanup();
  client.disconnect();
  await redis.stop();
});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'shared-outbox-'));
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** What an outbox waits for by the clock comes so much sooner. */
const FASTER = 50;

/** The outbox of an instance. It looks after the others, and tries again, many times a second. */
async function open(dir = folder()): Promise<Outbox> {
  const link = await linkRedis({ url: redis.url, logger, clock: () => performance.now(), budgetMs: 5_000 });
  await eventually(() => expect(link.isUp()).toBe(true));
  const outbox = openOutbox({
    dir,
    logger,
    async deliver(item) {
      const answer = await status();
      delivered.push(item);
      return answer;
    },
    clock: { now: Date.now, monotonic: () => performance.now() * FASTER },
    timers: (ms, work) => afterSystemTime(Math.min(ms, 20), work),
    peersOf: (instance) => createSharedOutbox({ link, prefix: 'test', instance }),
  });
  outbox.start();
  cleanups.push(async () => {
    await outbox.close(1_000);
    link.close();
  });
  return outbox;
}

/** However busy the machine is. */
function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

const down = () => Promise.reject(new Error('connection refused'));

/** Kills an instance, and lets the time pass in which it could have shown that it lives. */
async function die(outbox: Outbox): Promise<void> {
  outbox.closeAtOnce();
  await eventually(async () => {
    const signs = await client.keys('test:outbox:alive:*');
    if (signs.length > 0) await client.del(...signs);
    expect(await client.smembers('test:outbox:instances')).not.toHaveLength(0);
  });
}

async function words(): Promise<string> {
  const found: unknown[] = [];
  for (const key of await client.keys('*')) {
    const type = await client.type(key);
    if (type === 'hash') found.push(await client.hgetall(key));
    if (type === 'string') found.push(await client.get(key));
  }
  return JSON.stringify(found);
}

describe('what an instance holds', () => {
  it('is delivered by another when it dies, once, under the same key', async () => {
    status = down;
    const first = await open();
    expect(await first.submit('contact', contact)).toBe('failed');
    const [key] = Object.keys(await client.hgetall((await client.keys('test:outbox:held:*'))[0] ?? ''));
    await open();
    await die(first);
    status = async () => ({ status: 201 });
    await eventually(() => expect(delivered).toHaveLength(1));
    expect(delivered).toMatchObject([{ kind: 'contact', payload: contact, idempotencyKey: key }]);
  });

  it('is not delivered again when it comes back, and is erased there too', async () => {
    status = down;
    const dir = folder();
    const first = await open(dir);
    await first.submit('contact', contact);
    const second = await open();
    await die(first);
    await eventually(() => expect(second.depth().submissions).toBe(1));
    const back = await open(dir);
    status = async () => ({ status: 201 });
    await eventually(() => {
      expect(second.depth().submissions).toBe(0);
      expect(back.depth().submissions).toBe(0);
    });
    expect(delivered).toHaveLength(1);
  });

  it('is left to others at once when it stops', async () => {
    status = down;
    const first = await open();
    await first.submit('contact', contact);
    const second = await open();
    await first.close(1_000);
    await eventually(() => expect(second.depth().submissions).toBe(1));
  });

  it('is nowhere in Redis once it has arrived', async () => {
    status = down;
    const outbox = await open();
    await outbox.submit('contact', contact);
    expect(await words()).toContain('ada@example.com');
    status = async () => ({ status: 201 });
    await eventually(() => expect(outbox.depth().submissions).toBe(0));
    await eventually(async () => expect(await words()).not.toContain('ada@example.com'));
  });

  it('is told to the others when Redis is back', async () => {
    const outbox = await open();
    const { url } = redis;
    await redis.stop();
    status = down;
    expect(await outbox.submit('contact', contact)).toBe('failed');
    redis = await startRedis(Number(new URL(url).port));
    await eventually(async () => expect(await words()).toContain('ada@example.com'));
  });

  it('is not what somebody else wrote into Redis', async () => {
    status = down;
    const outbox = await open();
    await outbox.submit('contact', contact);
    const [held = ''] = await client.keys('test:outbox:held:*');
    await client.hset(held, 'one', 'poison', 'two', '{"kind":"contact"}', 'three', '[]');
    const other = await open();
    await die(outbox);
    await eventually(() => expect(other.depth().submissions).toBe(1));
    status = async () => ({ status: 201 });
    await eventually(() => expect(other.depth().submissions).toBe(0));
    expect(delivered).toHaveLength(1);
  });
});

describe('views that wait on an instance', () => {
  const view = (n: number) => ({ postId: String(n), address: '93.184.216.34' });
  const counted = () => delivered.map(({ payload }) => JSON.stringify(payload)).toSorted();
  const payloads = (...posts: number[]) =>
    posts.map((n) => JSON.stringify({ postId: String(n), ip_addr: '93.184.216.34' }));

  /** Views that the others know of, once they have waited long enough. */
  async function shared(n: number): Promise<void> {
    await eventually(async () => {
      const places = await client.keys('test:views:waiting:*');
      const counts = await Promise.all(places.map((place) => client.zcard(place)));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(n);
    });
  }

  async function waiting(outbox: Outbox, ...posts: number[]): Promise<void> {
    for (const n of posts) outbox.countView(view(n));
    await shared(posts.length);
  }

  it('are delivered by another when it dies, each once', async () => {
    status = down;
    const first = await open();
    await waiting(first, 1, 2, 3);
    const second = await open();
    await die(first);
    await eventually(() => expect(second.depth().views).toBe(3));
    status = async () => ({ status: 200 });
    await eventually(() => expect(second.depth().views).toBe(0));
    expect(counted()).toEqual(payloads(1, 2, 3));
    expect(new Set(delivered.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  });

  it('are not delivered again when it comes back', async () => {
    status = down;
    const dir = folder();
    const first = await open(dir);
    await waiting(first, 1, 2);
    const second = await open();
    await die(first);
    await eventually(() => expect(second.depth().views).toBe(2));
    status = async () => ({ status: 200 });
    const back = await open(dir);
    await eventually(() => expect(second.depth().views + back.depth().views).toBe(0));
    expect(counted()).toEqual(payloads(1, 2));
  });

  it('are left to others when it stops', async () => {
    status = down;
    const first = await open();
    first.countView(view(1));
    const second = await open();
    await first.close(1_000);
    await eventually(() => expect(second.depth().views).toBe(1));
  });

  it('are not the others’ once it has delivered them', async () => {
    status = down;
    const first = await open();
    await waiting(first, 1, 2);
    status = async () => ({ status: 200 });
    await shared(0);
    const second = await open();
    await die(first);
    await second.close(1_000);
    expect(counted()).toEqual(payloads(1, 2));
  });

  it('are told again to a Redis that has lost them', async () => {
    status = down;
    await waiting(await open(), 1, 2);
    await client.flushall();
    await shared(2);
  });

  it('are not what somebody else wrote into Redis', async () => {
    status = down;
    const first = await open();
    await waiting(first, 1);
    const [place = ''] = await client.keys('test:views:waiting:*');
    await client.zadd(place, 7, 'poison', 8, '{"key":"a","payload":"[]","createdAt":1}');
    const second = await open();
    await die(first);
    await eventually(() => expect(second.depth().views).toBe(1));
    status = async () => ({ status: 200 });
    await eventually(() => expect(second.depth().views).toBe(0));
    expect(counted()).toEqual(payloads(1));
  });
});

describe('the same submission on two instances', () => {
  it('is delivered once', async () => {
    const [first, second] = [await open(), await open()];
    expect(await first.submit('contact', contact)).toBe('delivered');
    await eventually(async () => expect(await words()).toContain('delivered'));
    expect(await second.submit('contact', contact)).toBe('delivered');
    expect(delivered).toHaveLength(1);
  });

  it('is delivered once while the upstream is down', async () => {
    status = down;
    const [first, second] = [await open(), await open()];
    expect([await first.submit('contact', contact), await second.submit('contact', contact)]).toEqual([
      'failed',
      'failed',
    ]);
    status = async () => ({ status: 201 });
    await eventually(() => expect(first.depth().submissions + second.depth().submissions).toBe(0));
    expect(delivered).toHaveLength(1);
  });

  it('goes to the upstream again where it is a subscription that has arrived: whether it stands, the upstream knows', async () => {
    const [first, second] = [await open(), await open()];
    await first.submit('subscription', { email: 'a@example.com' });
    await eventually(async () => expect(await words()).toContain('delivered'));
    status = async () => ({ status: 404 });
    expect(await second.submit('subscription', { email: 'a@example.com' })).toBe('already-subscribed');
  });
});

it('a submission that was refused for good is tried again when its operator wants it', async () => {
  status = async () => ({ status: 400 });
  const outbox = await open();
  expect(await outbox.submit('contact', contact)).toBe('refused');
  const [entry] = outbox.list();
  status = async () => ({ status: 201 });
  await eventually(async () => expect(await words()).toContain('refused'));
  expect(outbox.retry(entry?.id ?? 0)).toBe(true);
  await eventually(() => expect(delivered).toHaveLength(2));
  await eventually(() => expect(outbox.depth()).toMatchObject({ submissions: 0, refused: 0 }));
});

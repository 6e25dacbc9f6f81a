import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OutgoingItem } from '#server/outbox/delivery/delivery-attempt.ts';
import { OUTBOX_KINDS } from '#server/outbox/message.ts';
import { type Outbox, openOutbox } from '#server/outbox/outbox.ts';
import { afterSystemTime } from '#server/outbox/outbox-clock.ts';
import { createStreamOutbox } from '#server/outbox/redis-stream/stream-outbox.ts';
import { connectRedis } from '#server/redis/redis-client.ts';
import { NO_TRACING, type Tracing } from '#server/tracing/tracing.ts';
import { seeded } from '../seeded.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

const contact = { first_name: 'Ada', email: 'ada@example.com', message: 'Secret' };
const logger = { warn: () => undefined, error: () => undefined };

let redis: RedisServer;
let redisDir: string;
let client: Redis;
let delivered: OutgoingItem[];
let status: (item: OutgoingItem) => Promise<{ status: number }>;
let cleanups: (() => Promise<void> | void)[];

beforeEach(async () => {
  redisDir = mkdtempSync(join(tmpdir(), 'redis-'));
  redis = await startRedis(undefined, redisDir);
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
  rmSync(redisDir, { recursive: true, force: true });
});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'stream-outbox-'));
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Instances that die in a test: what they had in flight is taken over after so long, in milliseconds. */
const SHORT_IDLE_MS = 200;
/** The outbox's clock runs this many times faster. */
const SPEED_UP = 50;

interface OpenOptions {
  dir?: string;
  /** True once the instance counts as dead: no attempt of its ends any more. */
  isKilled?: () => boolean;
  /** Long by default: on a busy machine a short attempt must not be taken over by another instance that lives. */
  idleMs?: number;
  tracing?: Tracing;
}

/** Opens the outbox of an instance, with timers so short that it claims and retries many times a second. */
async function open({
  dir = folder(),
  isKilled = () => false,
  idleMs = 60_000,
  tracing = NO_TRACING,
}: OpenOptions = {}): Promise<Outbox> {
  const redisClient = await connectRedis({
    url: redis.url,
    logger,
    clock: () => performance.now(),
  });
  await eventually(() => expect(redisClient.isUp()).toBe(true));
  const outbox = openOutbox({
    dir,
    logger,
    async deliver(item) {
      const response = await status(item);
      if (isKilled()) await new Promise(() => undefined);
      delivered.push(item);
      return response;
    },
    clock: { now: Date.now, monotonic: () => performance.now() * SPEED_UP },
    timers: (ms, work) => afterSystemTime(Math.min(ms, 20), work),
    stream: createStreamOutbox({ client: redisClient, prefix: 'test', idleMs }),
    tracing,
  });
  outbox.start();
  cleanups.push(async () => {
    await outbox.close(1_000);
    redisClient.close();
  });
  return outbox;
}

/** Retries for long enough on a busy machine. */
function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 5 });
}

const down = () => Promise.reject(new Error('connection refused'));

/** Resolves with everything that Redis holds, as text. */
async function redisContent(): Promise<string> {
  const found: unknown[] = [];
  for (const key of await client.keys('*')) {
    const type = await client.type(key);
    if (type === 'hash') found.push(key, await client.hgetall(key));
    else if (type === 'string') found.push(key, await client.get(key));
    else if (type === 'list') found.push(key, await client.lrange(key, 0, -1));
    else found.push(key, await client.xrange(key, '-', '+'));
  }
  return JSON.stringify(found);
}

/** Asks Redis itself: the depth of an outbox is what it counted last, which may be from before the submission. */
const isEmpty = (outbox: Outbox) =>
  eventually(async () => {
    expect(outbox.localDepth()).toMatchObject({ submissions: 0, views: 0 });
    for (const kind of OUTBOX_KINDS)
      expect([kind, await client.xlen(`test:outbox:${kind}`)]).toEqual([kind, 0]);
  });

describe('a submission', () => {
  it('is delivered at once under its idempotency key, and leaves no personal data in Redis', async () => {
    const outbox = await open();
    expect(await outbox.submit('contact', contact)).toBe('delivered');
    expect(delivered).toMatchObject([{ kind: 'contact', payload: contact }]);
    expect(await redisContent()).not.toContain('ada@example.com');
    expect(await client.keys('test:outbox:sender:*')).toEqual([]);
  });

  it('keeps the trace of its request, whichever instance delivers it', async () => {
    status = down;
    const linked: (string | null)[] = [];
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const tracing: Tracing = {
      ...NO_TRACING,
      current: () => traceparent,
      root(_name, linkedTo, work) {
        linked.push(linkedTo);
        return work();
      },
    };
    const first = await open({ tracing });
    expect(await first.submit('contact', contact)).toBe('pending');
    status = async () => ({ status: 201 });
    await isEmpty(first);
    expect(new Set(linked)).toEqual(new Set([traceparent]));
  });

  it('is delivered by another instance when its own dies during the attempt and loses its disk', async () => {
    let isKilled = false;
    const dir = folder();
    const first = await open({ dir, isKilled: () => isKilled });
    status = async () => {
      isKilled = true;
      return { status: 201 };
    };
    void first.submit('contact', contact);
    await eventually(() => expect(isKilled).toBe(true));
    const key = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(await redisContent())?.[0];
    first.closeImmediately();
    rmSync(dir, { recursive: true });
    status = async () => ({ status: 201 });
    await open({ idleMs: SHORT_IDLE_MS });
    await eventually(() => expect(delivered).toHaveLength(1));
    expect(delivered).toMatchObject([{ payload: contact, idempotencyKey: key }]);
  });

  it('that failed is delivered by any instance when the upstream is back', async () => {
    status = down;
    const dir = folder();
    const first = await open({ dir });
    expect(await first.submit('contact', contact)).toBe('pending');
    await eventually(async () => expect(await client.xlen('test:outbox:contact')).toBe(1));
    first.closeImmediately();
    rmSync(dir, { recursive: true });
    const second = await open({ idleMs: SHORT_IDLE_MS });
    status = async () => ({ status: 201 });
    await eventually(() => expect(delivered).toHaveLength(1));
    await isEmpty(second);
  });

  it('is delivered once when it is sent to two instances, and both readers get the outcome', async () => {
    const [first, second] = [await open(), await open()];
    expect(await first.submit('contact', contact)).toBe('delivered');
    expect(
      await second.submit('contact', { message: contact.message, email: contact.email, first_name: 'Ada' }),
    ).toBe('delivered');
    expect(delivered).toHaveLength(1);
  });

  it('is delivered once when it is sent to two instances while the upstream is down', async () => {
    status = down;
    const [first, second] = [await open(), await open()];
    const told = [await first.submit('contact', contact), await second.submit('contact', contact)];
    expect(told).toEqual(['pending', 'pending']);
    status = async () => ({ status: 201 });
    await isEmpty(first);
    await isEmpty(second);
    expect(delivered).toHaveLength(1);
  });

  it('is retried at once when its reader sends it again', async () => {
    status = down;
    const [first, second] = [await open(), await open()];
    await first.submit('contact', contact);
    status = async () => ({ status: 201 });
    await eventually(async () => expect(await second.submit('contact', contact)).toBe('delivered'));
    expect(delivered).toHaveLength(1);
  });

  it('is sent to the upstream again if it is a delivered subscription: only the upstream knows whether it is still active', async () => {
    const [first, second] = [await open(), await open()];
    await first.submit('subscription', { email: 'a@example.com' });
    status = async () => ({ status: 404 });
    expect(await second.submit('subscription', { email: 'a@example.com' })).toBe('already-subscribed');
  });

  it('is delivered in order with its sender’s others, whichever instance got them', async () => {
    status = down;
    const [first, second] = [await open(), await open()];
    const message = (n: number) => ({ ...contact, message: String(n) });
    for (let n = 0; n < 6; n++) await (n % 2 === 0 ? first : second).submit('contact', message(n));
    await first.submit('subscription', { email: contact.email });
    await second.submit('opt-out', contact);
    status = async () => ({ status: 201 });
    await eventually(() => expect(delivered).toHaveLength(8));
    const messages = delivered.filter(({ kind }) => kind === 'contact');
    expect(messages.map(({ payload }) => Object(payload).message)).toEqual(['0', '1', '2', '3', '4', '5']);
    const others = delivered.filter(({ kind }) => kind !== 'contact');
    expect(others.map(({ kind }) => kind)).toEqual(['subscription', 'opt-out']);
  });

  it('does not block others when it alone fails', async () => {
    status = down;
    const outbox = await open();
    for (const name of ['bad', 'b', 'c', 'd'])
      await outbox.submit('contact', { ...contact, email: `${name}@example.com` });
    status = ({ payload }) =>
      Object(payload).email === 'bad@example.com' ? down() : Promise.resolve({ status: 201 });
    await eventually(() => expect(delivered).toHaveLength(3));
    await eventually(() => expect(outbox.depth().submissions).toBe(1));
  });

  it('is not confused with foreign data in Redis', async () => {
    const outbox = await open();
    await outbox.submit('contact', contact);
    await client.xadd('test:outbox:contact', '*', 'poison', '1');
    await client.xadd('test:outbox:contact', '*', 'key', 'k', 'payload', '[]', 'created', 'x');
    expect(await outbox.submit('contact', { ...contact, message: 'Another' })).toBe('delivered');
    outbox.countView({ postId: '1', address: '93.184.216.34' });
    await eventually(() => expect(delivered).toHaveLength(3));
    await eventually(async () => expect(await client.xlen('test:outbox:contact')).toBe(0));
  });
});

describe('a rejected message', () => {
  it('is listed by every instance without personal data, and retried by an operator', async () => {
    status = async () => ({ status: 422 });
    const [first, second] = [await open(), await open()];
    expect(await first.submit('contact', contact)).toBe('rejected');
    expect(await second.submit('contact', contact)).toBe('rejected');
    const [entry, ...more] = await second.list();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ kind: 'contact', state: 'rejected', attempts: 1, lastError: 'status 422' });
    expect(JSON.stringify(entry)).not.toContain('ada@');
    await eventually(() => expect(second.depth()).toMatchObject({ submissions: 0, rejected: 1 }));
    status = async () => ({ status: 201 });
    delivered = [];
    expect(await second.retry(entry?.id ?? '')).toBe(true);
    await eventually(() => expect(delivered).toHaveLength(1));
    await eventually(async () => expect(await first.list()).toEqual([]));
    expect(await first.retry(entry?.id ?? '')).toBe(false);
    expect(await first.retry('1-1')).toBe(false);
  });
});

describe('views', () => {
  const view = (n: number) => ({ postId: String(n), address: '93.184.216.34' });
  /** Counted by idempotency key: on a busy machine an attempt may exceed the idle time and be repeated under its key. */
  const posts = () => {
    const byKey = new Map(delivered.map(({ idempotencyKey, payload }) => [idempotencyKey, payload]));
    return [...byKey.values()].map((payload) => Number(Object(payload).postId)).toSorted((a, b) => a - b);
  };
  const all = Array.from({ length: 300 }, (_, n) => n);

  it('are delivered once each by all instances together', async () => {
    status = async () => ({ status: 200 });
    const [first, second] = [await open(), await open()];
    for (const n of all) (n % 2 === 0 ? first : second).countView(view(n));
    await eventually(() => expect(posts()).toEqual(all));
  });

  it('are delivered by another instance when their own dies and loses its disk', async () => {
    status = down;
    const dir = folder();
    const first = await open({ dir });
    for (const n of all) first.countView(view(n));
    await eventually(async () => expect(await client.xlen('test:outbox:view')).toBe(300));
    first.closeImmediately();
    rmSync(dir, { recursive: true });
    status = async () => ({ status: 200 });
    await open({ idleMs: SHORT_IDLE_MS });
    await eventually(() => expect(posts()).toEqual(all));
  });
});

describe('while Redis is down', () => {
  it('submissions and views are stored on disk, and move to the stream when it is back', async () => {
    status = down;
    const dir = folder();
    const first = await open({ dir });
    const port = Number(new URL(redis.url).port);
    await redis.stop();
    expect(await first.submit('contact', contact)).toBe('pending');
    first.countView({ postId: '7', address: '93.184.216.34' });
    await eventually(() => expect(first.depth()).toMatchObject({ submissions: 1, views: 1 }));
    redis = await startRedis(port, redisDir);
    await eventually(async () => expect(await redisContent()).toContain('ada@example.com'));
    await eventually(async () => expect(await client.xlen('test:outbox:view')).toBe(1));
    first.closeImmediately();
    rmSync(dir, { recursive: true });
    status = async () => ({ status: 200 });
    await open({ idleMs: SHORT_IDLE_MS });
    await eventually(() => expect(delivered).toHaveLength(2));
  });

  it('submissions are delivered as without Redis', async () => {
    const outbox = await open();
    await redis.stop();
    expect(await outbox.submit('contact', contact)).toBe('delivered');
    status = down;
    expect(await outbox.submit('opt-out', contact)).toBe('pending');
    status = async () => ({ status: 201 });
    await eventually(() => expect(delivered).toHaveLength(2));
  });

  it('a delivery that could not be acknowledged is acknowledged when it is back, and not repeated', async () => {
    const outbox = await open({ idleMs: 60_000 });
    const port = Number(new URL(redis.url).port);
    status = async () => {
      await redis.stop();
      return { status: 201 };
    };
    expect(await outbox.submit('contact', contact)).toBe('delivered');
    status = async () => ({ status: 201 });
    redis = await startRedis(port, redisDir);
    await eventually(async () => expect(await client.xlen('test:outbox:contact')).toBe(0));
    expect(delivered).toHaveLength(1);
  });
});

it('a Redis that is killed repeatedly loses nothing that was acknowledged', async () => {
  const outbox = await open({ idleMs: 500 });
  const port = Number(new URL(redis.url).port);
  const acknowledged: string[] = [];
  let over = false;
  const random = seeded(3);
  status = async () => (random() < 0.3 ? { status: 503 } : { status: 201 });
  const posting = (async () => {
    for (let n = 0; !over; n++) {
      const email = `reader-${n}@example.com`;
      const told = await outbox.submit('contact', { ...contact, email });
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (told === 'delivered' || told === 'pending') acknowledged.push(email);
    }
  })();
  for (let kill = 0; kill < 5; kill++) {
    const before = acknowledged.length;
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 10));
    await redis.stop();
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 20));
    redis = await startRedis(port, redisDir);
  }
  over = true;
  await posting;
  status = async () => ({ status: 201 });
  await eventually(() => {
    const arrived = new Set(delivered.map(({ payload }) => Object(payload).email));
    expect(acknowledged.filter((email) => !arrived.has(email))).toEqual([]);
  });
}, 120_000);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_IN_FLIGHT, type MessageQueue, type QueueOptions } from '#server/outbox/message-types.ts';
import { openRedisQueue } from '#server/outbox/redis-queue.ts';
import { COMMAND_TIMEOUT_MS, connectRedis, type RedisClient } from '#server/redis/redis-client.ts';
import { systemClock } from '#server/time.ts';
import { OUTBOX_KINDS } from '#shared/models/outbox-kinds.ts';
import { describeQueue, messageOf, untilPromoted } from './queue-contract.ts';
import { startRedisProxy } from './redis-proxy.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

let server: RedisServer;
let clients: RedisClient[];
const logger = { error: () => undefined, warn: () => undefined };

beforeEach(async () => {
  server = await startRedis();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await server.stop();
});

/** A busy machine may be too slow for the deadline of a command, which then arrives nevertheless: twice, if it is tried again. */
const AMPLE_MS = 30_000;

/** What the queue lets through. */
const VIEWS_A_SECOND = 200;

interface Connections {
  /** Called with each connection of the queue when it is ready. */
  onReady?: (connection: Redis) => void;
  /** Deadline (ms) of each command. */
  timeoutMs?: number;
  url?: string;
}

async function open(
  options: Partial<QueueOptions> = {},
  { onReady = () => undefined, timeoutMs = AMPLE_MS, url = server.url }: Connections = {},
): Promise<MessageQueue> {
  const client = await connectRedis({ url, logger, clock: systemClock });
  clients.push(client);
  await expect.poll(client.isUp).toBe(true);
  const setDeadline = ({ options }: Redis) => {
    if (options.commandTimeout !== undefined) options.commandTimeout = timeoutMs;
  };
  await client.run(async (redis) => setDeadline(redis), undefined);
  return openRedisQueue({
    client: {
      run: (command, fallback) => client.run(command, fallback, timeoutMs),
      attempt: (command, fallback) => client.attempt(command, fallback, timeoutMs),
      connect(connectOptions) {
        const connection = client.connect(connectOptions);
        setDeadline(connection);
        return connection.once('ready', () => onReady(connection));
      },
    },
    prefix: 'test:queue',
    process: async () => ({ state: 'delivered', reason: null, isCounted: true }),
    now: Date.now,
    backoff: () => 1,
    logger,
    ...options,
  });
}

describe('the queue in Redis', () => {
  // Its own, which would work on the messages of the other tests.
  describe('as every queue', () => describeQueue(open, 10 * VIEWS_A_SECOND));

  it('keeps nothing of what was delivered', async () => {
    const queue = await open();
    queue.start();
    const redis = new Redis(server.url);
    await queue.add([messageOf('1')]);
    await expect.poll(() => queue.list()).toEqual([]);
    await expect.poll(() => redis.keys('*message-1*')).toEqual([]);
    redis.disconnect();
    await queue.close(1_000);
  });

  it('of an instance that died is delivered by another within a minute', async () => {
    const { promise: never } = Promise.withResolvers<never>();
    const stopped = await open({ process: () => never });
    stopped.start();
    await stopped.add([messageOf('1')]);
    const redis = new Redis(server.url);
    await expect.poll(() => redis.llen('test:queue:contact:active')).toBe(1);
    await stopped.close(0);
    for (const client of clients) client.close();
    const { promise, resolve } = Promise.withResolvers<string>();
    const other = await open({
      async process({ id }) {
        resolve(id);
        return { state: 'delivered', reason: null, isCounted: true };
      },
    });
    const startedAt = performance.now();
    other.start();
    expect(await promise).toBe('message-1');
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    redis.disconnect();
    await other.close(1_000);
  });

  it('delivers, and takes over from an instance that died, within seconds after Redis’ clock was set back a day', async () => {
    const attempts: string[] = [];
    const queue = await open({
      async process({ id }) {
        attempts.push(id);
        return { state: 'delivered', reason: null, isCounted: true };
      },
    });
    const redis = new Redis(server.url);
    // What it has left behind, with a day more to live than BullMQ gave it.
    await redis.set('test:queue:contact:limiter', '10', 'PX', 86_401_000);
    await redis.set('test:queue:contact:stalled-check', '1', 'PX', 86_410_000);
    await redis.sadd('test:queue:contact:stalled', 'message-1');
    await queue.add([messageOf('1'), messageOf('2')]);
    await redis.lmove('test:queue:contact:wait', 'test:queue:contact:active', 'RIGHT', 'LEFT');
    queue.start();
    await expect.poll(() => attempts.toSorted(), { timeout: 60_000 }).toEqual(['message-1', 'message-2']);
    redis.disconnect();
    await queue.close(1_000);
  });

  it('rejects a message that somebody else has put into its queue, and delivers the others', async () => {
    const error = vi.fn();
    const queue = await open({ logger: { error } });
    const redis = new Redis(server.url);
    await redis.hset('test:queue:contact:foreign', {
      name: 'other',
      data: '"text"',
      timestamp: 1,
      opts: '{}',
    });
    await redis.lpush('test:queue:contact:wait', 'foreign');
    queue.start();
    await queue.add([messageOf('1')]);
    await expect
      .poll(async () => (await queue.list()).map(({ id, state, lastError }) => [id, state, lastError]))
      .toEqual([['foreign', 'rejected', 'the message is not one of this site’s']]);
    expect(error).toHaveBeenCalledTimes(1);
    expect(await queue.discard({ id: 'foreign' })).toBe(1);
    redis.disconnect();
    await queue.close(1_000);
  });

  it('has its rejected messages retried by two instances at once', async () => {
    const [first, second] = [await open(), await open()];
    first.start();
    const ids = Array.from({ length: 8 }, (_, i) => String(i));
    await first.add(
      ids.map((id) => messageOf(id)),
      { state: 'rejected', reason: 'status 422', isCounted: true },
    );
    const states = async () => (await first.list()).map(({ state }) => state);
    await expect.poll(states).toEqual(ids.map(() => 'rejected'));
    const retried = await Promise.all([first.retry({}), second.retry({})]);
    expect(retried[0] + retried[1]).toBe(ids.length);
    // Neither takes it for a Redis that fails, which would be left alone for a second.
    expect(clients.map((client) => client.isUp())).toEqual([true, true]);
    await expect.poll(states).toEqual([]);
    await Promise.all([first.close(1_000), second.close(1_000)]);
  });

  it('has its messages listed, retried and discarded also while Redis was too slow for a reader a moment ago', async () => {
    const queue = await open();
    queue.start();
    await queue.add([messageOf('1')], { state: 'rejected', reason: 'status 422', isCounted: true });
    const states = async () => (await queue.list()).map(({ state }) => state);
    await expect.poll(states).toEqual(['rejected']);
    const { promise: never } = Promise.withResolvers<null>();
    for (const client of clients) await client.attempt(() => never, null, 1);
    expect(clients.map((client) => client.isUp())).toEqual([false]);
    expect(await states()).toEqual(['rejected']);
    expect(await queue.discard({ id: 'message-1' })).toBe(1);
    expect(await queue.retry({})).toBe(0);
    await queue.close(1_000);
  });

  it('lists its messages in a few round trips, whatever the number of kinds', async () => {
    const proxy = await startRedisProxy(Number(new URL(server.url).port));
    const queue = await open({}, { url: proxy.url });
    const messages = OUTBOX_KINDS.map((kind) => messageOf(kind, kind));
    await queue.add(messages);
    const delayMs = 500;
    proxy.delayBy(delayMs);
    const startedAt = performance.now();
    expect(await queue.list()).toHaveLength(messages.length);
    expect((performance.now() - startedAt) / (2 * delayMs)).toBeLessThan(20);
    await queue.close(1_000);
    for (const client of clients) client.close();
    proxy.close();
  });

  it('refuses a message within its deadline while Redis is silent', async () => {
    const queue = await open({}, { timeoutMs: COMMAND_TIMEOUT_MS });
    server.hang();
    await expect(queue.add([messageOf('1')])).rejects.toThrow('does not take');
    await expect(queue.add([messageOf('2')])).rejects.toThrow('does not take');
    await queue.close(100);
    server.resume();
  });

  it('has neither a message nor a password in the log', async () => {
    const lines: string[] = [];
    const logged = pino({}, { write: (line) => lines.push(line) });
    let ms = 0;
    // Each error is logged: on a busy machine a command that takes too long may be the first.
    const clock = { ...systemClock, monotonic: () => (ms += 60_000) };
    const connect = async (url: string) => {
      const client = await connectRedis({ url, logger: logged, clock });
      clients.push(client);
      return client;
    };
    const client = await connect(server.url);
    await expect.poll(client.isUp).toBe(true);
    const process = async () => ({ state: 'delivered', reason: null, isCounted: true }) as const;
    const queue = await openRedisQueue({
      client,
      prefix: 'test:full',
      process,
      now: Date.now,
      backoff: () => 1,
      logger: logged,
    });
    const redis = new Redis(server.url);
    await redis.config('SET', 'maxmemory', '1');
    await expect(queue.add([messageOf('personal')])).rejects.toThrow('does not take');
    const logAfterAnother = async () => {
      await queue.add([messageOf('personal')]).catch(() => undefined);
      return lines.join();
    };
    await expect.poll(logAfterAnother).toContain('OOM');
    await redis.config('SET', 'requirepass', 'right');
    await connect(server.url.replace('//', '//:wrong-password@'));
    await expect.poll(() => lines.join()).toContain('WRONGPASS');
    expect(lines.join()).toContain('Redis is not available');
    expect(lines.join()).not.toMatch(/personal|wrong-password/);
    redis.disconnect();
    await queue.close(100);
  });

  it('takes and delivers messages where Redis did not say its version in time', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const deliver = async ({ id }: { id: string }) => {
      resolve(id);
      return { state: 'delivered' as const, reason: null, isCounted: true };
    };
    const queue = await open(
      { process: deliver },
      {
        onReady(connection) {
          connection.info = () => Promise.reject(new Error('Command timed out'));
        },
      },
    );
    queue.start();
    await expect
      .poll(() =>
        queue.add([messageOf('1')]).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    expect(await promise).toBe('message-1');
    await queue.close(1_000);
  });

  it('refuses messages while Redis is read-only, and takes them afterwards', async () => {
    const queue = await open();
    const redis = new Redis(server.url);
    await redis.replicaof('127.0.0.1', 1);
    const warnings: Error[] = [];
    process.on('warning', (warning) => warnings.push(warning));
    const many = Array.from({ length: 20 }, (_, i) => messageOf(String(i)));
    await expect(queue.add(many)).rejects.toThrow('does not take');
    await redis.replicaof('NO', 'ONE');
    await expect
      .poll(() =>
        queue.add([messageOf('1')]).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    expect(warnings).toEqual([]);
    redis.disconnect();
    await queue.close(1_000);
  });

  it('delivers for a user of Redis who may not ask for its state', async () => {
    const redis = new Redis(server.url);
    await redis.acl('SETUSER', 'site', 'on', '>password', '~*', '&*', '+@all', '-@dangerous');
    redis.disconnect();
    const attempts: string[] = [];
    const process: QueueOptions['process'] = async ({ id }) => {
      attempts.push(id);
      return { state: 'delivered', reason: null, isCounted: true };
    };
    const queue = await open({ process }, { url: server.url.replace('//', '//site:password@') });
    await queue.add([messageOf('1')]);
    queue.start();
    await expect.poll(() => attempts, { timeout: 20_000 }).toEqual(['message-1']);
    await queue.close(1_000);
  });

  it('waits before it asks a Redis again that refuses to write with messages in it', async () => {
    const redis = new Redis(server.url);
    const attempts: string[] = [];
    const queue = await open({
      async process({ id }) {
        attempts.push(id);
        return { state: 'delivered', reason: null, isCounted: true };
      },
    });
    await queue.add([messageOf('1')]);
    await redis.config('SET', 'min-replicas-to-write', '1');
    const counted = async (section: string, name: string) =>
      Number(new RegExp(`${name}\\D*(\\d+)`).exec(await redis.info(section))?.[1] ?? 0);
    const before = await counted('stats', 'total_connections_received');
    queue.start();
    await expect
      .poll(() => counted('stats', 'total_connections_received'), { timeout: 20_000 })
      .toBeGreaterThan(before + 8);
    expect(await counted('errorstats', 'NOREPLICAS')).toBeLessThan(100);
    await redis.config('SET', 'min-replicas-to-write', '0');
    await expect.poll(() => attempts).toEqual(['message-1']);
    redis.disconnect();
    await queue.close(1_000);
  });

  it('leaves the process its event loop when Redis goes away with messages in it, and delivers afterwards', async () => {
    const { promise: isAway, resolve: goOn } = Promise.withResolvers<void>();
    const attempts: string[] = [];
    const queue = await open({
      async process({ id }) {
        attempts.push(id);
        await isAway;
        return { state: 'delivered', reason: null, isCounted: true };
      },
    });
    queue.start();
    await queue.add(Array.from({ length: 20 }, (_, i) => messageOf(String(i))));
    await expect.poll(() => attempts).toHaveLength(MAX_IN_FLIGHT.contact);
    await server.stop();
    goOn();
    // A loop that nothing else gets a turn of has 1 from look to look. So has a busy machine's, but not for long.
    let before = performance.eventLoopUtilization();
    const utilization = () => {
      const { utilization } = performance.eventLoopUtilization(before);
      before = performance.eventLoopUtilization();
      return utilization;
    };
    await expect.poll(utilization, { timeout: 20_000 }).toBeLessThan(0.9);
    server = await startRedis(Number(new URL(server.url).port));
    await expect
      .poll(() =>
        queue.add([messageOf('later')]).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect.poll(() => attempts).toContain('message-later');
    await queue.close(1_000);
  });

  it('delivers after Redis was silent and killed while jobs were fetched', async () => {
    const delivered: string[] = [];
    const queue = await open({
      async process({ id }) {
        server.hang();
        delivered.push(id);
        return { state: 'delivered', reason: null, isCounted: true };
      },
    });
    queue.start();
    await queue.add([messageOf('1')]);
    await expect.poll(() => delivered).toEqual(['message-1']);
    await server.stop();
    server = await startRedis(Number(new URL(server.url).port));
    await expect
      .poll(() =>
        queue.add([messageOf('2')]).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect.poll(() => delivered).toContain('message-2');
    await queue.close(1_000);
  });

  it('delivers within seconds when its connections were lost unnoticed', async () => {
    const proxy = await startRedisProxy(Number(new URL(server.url).port));
    const { promise, resolve } = Promise.withResolvers<string>();
    const process = async ({ id }: { id: string }) => {
      resolve(id);
      return { state: 'delivered', reason: null, isCounted: true } as const;
    };
    const queue = await open({ process }, { url: proxy.url });
    queue.start();
    await queue.list();
    proxy.lose();
    const other = await open();
    await other.add([messageOf('1')]);
    expect(await promise).toBe('message-1');
    await other.close(0);
    await queue.close(1_000);
    for (const client of clients) client.close();
    proxy.close();
  });

  it('has what it took when Redis is killed at once, with an append-only file', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'redis-'));
    const port = Number(new URL(server.url).port);
    await server.stop();
    server = await startRedis(port, dir);
    const queue = await open({
      process: async () => ({ state: 'pending', reason: 'down', isCounted: false }),
      backoff: untilPromoted,
    });
    const messages = Array.from({ length: 100 }, (_, i) => messageOf(String(i)));
    await queue.add(messages);
    await server.stop();
    server = await startRedis(port, dir);
    // What is listed is bounded: Redis itself says what it has.
    const redis = new Redis(server.url);
    const held = async () => {
      const [delayed, waiting, active] = await Promise.all([
        redis.zcard('test:queue:contact:delayed'),
        redis.llen('test:queue:contact:wait'),
        redis.llen('test:queue:contact:active'),
      ]);
      return delayed + waiting + active;
    };
    await expect.poll(held).toBe(100);
    redis.disconnect();
    await queue.close(100);
    rmSync(dir, { recursive: true, force: true });
  });
});

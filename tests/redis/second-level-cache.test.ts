import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Instance,
  type InstanceOptions,
  respondAbsent,
  type SharedUpstream,
  startInstance,
} from './instances.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

let redis: RedisServer;
let upstream: SharedUpstream;
let instances: Instance[];

beforeEach(async () => {
  redis = await startRedis();
  upstream = { calls: 0, respond: async () => 'one' };
  instances = [];
});

afterEach(async () => {
  for (const instance of instances) instance.close();
  await redis.stop();
});

async function start(options: Partial<InstanceOptions> = {}): Promise<Instance> {
  const instance = await startInstance({ url: redis.url, upstream, ...options });
  instances.push(instance);
  await instance.isSharing();
  return instance;
}

/** Retries for long enough on a busy machine. */
function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 5 });
}

/** Makes an entry in Redis older. */
async function age(redisKey: string, seconds: number): Promise<void> {
  await withRedis(async (client) =>
    client.pexpire(redisKey, (await client.pttl(redisKey)) - seconds * 1_000),
  );
}

async function withRedis<T>(work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(redis.url);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

/** Returns the id of the last message in the invalidation stream. */
async function lastMessageId(): Promise<string | undefined> {
  return withRedis(async (client) => {
    const [key = ''] = await client.keys('*:changes');
    const [last] = await client.xrevrange(key, '+', '-', 'COUNT', 1);
    return last?.[0];
  });
}

/** Resolves with the Redis key of an entry, once it is stored. */
async function storedKey(name = 'a'): Promise<string> {
  return withRedis((client) =>
    eventually(async () => {
      const [redisKey] = await client.keys(`*:copy:article/${name}`);
      if (redisKey === undefined) throw new Error('not stored yet');
      return redisKey;
    }),
  );
}

describe('a shared entry', () => {
  it('that one instance has loaded is served by another without an upstream call', async () => {
    const [first, second] = [await start(), await start()];
    expect(await first.read('a')).toBe('one');
    await storedKey();
    upstream.respond = async () => 'two';
    expect(await second.read('a')).toBe('one');
    expect(upstream.calls).toBe(1);
  });

  it('keeps its age: what is stale on one instance is stale on another, and is refreshed', async () => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    const redisKey = await storedKey();
    // As if 70 of its seconds had passed: an article is fresh for 60.
    await age(redisKey, 70);
    upstream.respond = async () => 'two';
    expect(await second.read('a')).toBe('one');
    await eventually(async () => expect(await second.read('a')).toBe('two'));
  });

  it('is served while the upstream is down, also by an instance that starts then', async () => {
    const first = await start();
    await first.read('a');
    await storedKey();
    upstream.respond = () => Promise.reject(new Error('down'));
    const second = await start();
    expect(await second.read('a')).toBe('one');
    await expect(second.read('b')).rejects.toThrow('down');
  });

  it('is deleted when the upstream responds with 404', async () => {
    const first = await start();
    await first.read('a');
    await age(await storedKey(), 61);
    upstream.respond = respondAbsent;
    first.advance(61);
    await first.read('a');
    await eventually(async () => expect(await withRedis((client) => client.keys('*:copy:*'))).toEqual([]));
    const second = await start();
    await expect(second.read('a')).rejects.toThrow('does not exist');
  });

  it.each<[string, (client: Redis, redisKey: string) => Promise<unknown>]>([
    ['is damaged', (client, redisKey) => client.set(redisKey, 'poison', 'PX', 60_000)],
    [
      'is of another type',
      (client, redisKey) => client.del(redisKey).then(() => client.rpush(redisKey, 'poison')),
    ],
    [
      'is truncated',
      async (client, redisKey) =>
        client.set(redisKey, (await client.getBuffer(redisKey))?.subarray(0, -9) ?? '', 'KEEPTTL'),
    ],
    [
      'belongs under another key',
      async (client, redisKey) => {
        const other = redisKey.replace('article/a', 'article/b');
        await client.copy(other, redisKey, 'REPLACE');
      },
    ],
    ['never expires', (client, redisKey) => client.persist(redisKey)],
  ])('that %s counts as missing', async (_what, spoil) => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    await first.read('b');
    const redisKey = await storedKey('a');
    await storedKey('b');
    await withRedis((client) => spoil(client, redisKey));
    upstream.respond = async () => 'two';
    expect(await second.read('a')).toBe('two');
  });

  it('of another model version counts as missing', async () => {
    const [first, second] = [await start(), await start({ version: 'next' })];
    await first.read('a');
    await storedKey();
    upstream.respond = async () => 'two';
    expect(await second.read('a')).toBe('two');
  });
});

describe('a load', () => {
  it('runs once for all instances that need it at the same time', async () => {
    const three = [await start(), await start(), await start()];
    const { promise, resolve } = Promise.withResolvers<string>();
    upstream.respond = () => promise;
    const reads = three.map((instance) => instance.read('a'));
    await eventually(() => expect(upstream.calls).toBe(1));
    resolve('one');
    expect(await Promise.all(reads)).toEqual(['one', 'one', 'one']);
    expect(upstream.calls).toBe(1);
  });

  it('that another instance has finished since the look-up does not run again', async () => {
    const [first, second] = [await start(), await start()];
    // Between the second's look-up, which finds nothing, and its lock.
    second.beforeLoad = async () => {
      await first.read('a');
      await storedKey();
      await eventually(async () => expect(await withRedis((client) => client.keys('*:lease:*'))).toEqual([]));
    };
    expect(await second.read('a')).toBe('one');
    expect(upstream.calls).toBe(1);
  });

  it('runs once when the entries of all instances become stale together', async () => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    await storedKey();
    await second.read('a');
    upstream.respond = async () => 'two';
    const redisKey = await storedKey();
    await age(redisKey, 61);
    for (const instance of [first, second]) instance.advance(61);
    await Promise.all([first.read('a'), second.read('a')]);
    await eventually(async () => {
      expect(await first.read('a')).toBe('two');
      expect(await second.read('a')).toBe('two');
    });
    expect(upstream.calls).toBe(2);
  });

  it('that fails on one instance is tried by another', async () => {
    const [first, second] = [await start(), await start()];
    let isFirst = true;
    upstream.respond = () => {
      if (!isFirst) return Promise.resolve('one');
      isFirst = false;
      return Promise.reject(new Error('down'));
    };
    const responses = await Promise.allSettled([first.read('a'), second.read('a')]);
    expect(responses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('an invalidation', () => {
  it('by a purge reaches every instance, and the shared entry', async () => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    await storedKey();
    await second.read('a');
    upstream.respond = async () => 'two';
    expect(first.cache.purge({ tags: ['post:a'] })).toBe(1);
    await eventually(async () => expect(await second.read('a')).toBe('two'));
    expect(await first.read('a')).toBe('two');
  });

  it('counts as unknown to its own instance until it was read back, so that no older shared entry is used', async () => {
    const instance = await start();
    for (let round = 0; round < 20; round++) {
      instance.cache.purge({ all: true });
      expect(instance.redis.lastKnownChange()).toBeNull();
      while (instance.redis.lastKnownChange() === null) await new Promise((resolve) => setImmediate(resolve));
      expect(instance.redis.lastKnownChange()).toBe(await lastMessageId());
    }
  });

  it('of other keys leaves a shared entry as it is', async () => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    await storedKey();
    first.cache.purge({ tags: ['post:b'] });
    await eventually(() => expect(second.redis.lastKnownChange()).not.toBe('0-0'));
    await second.read('a');
    expect(upstream.calls).toBe(1);
  });

  it('from before an instance started applies to the entries that it takes from Redis', async () => {
    const first = await start();
    await first.read('a');
    await storedKey();
    first.cache.purge({ all: true });
    await eventually(() => expect(first.redis.lastKnownChange()).not.toBe('0-0'));
    upstream.respond = async () => 'two';
    const late = await start();
    expect(await late.read('a')).toBe('two');
  });

  it('by a policy or a mode applies on every instance, also on one that starts later', async () => {
    const [first, second] = [await start(), await start()];
    first.cache.policies.set('article', { ttl: 7 });
    first.cache.mode.set({ mode: 'freeze', forSeconds: 300 });
    await eventually(() => {
      expect(second.cache.policies.get('article').ttl).toBe(7);
      expect(second.cache.mode.name()).toBe('freeze');
    });
    const late = await start();
    expect(late.cache.policies.get('article').ttl).toBe(7);
    expect(late.cache.mode.name()).toBe('freeze');
    second.cache.policies.reset('article');
    second.cache.mode.set({ mode: 'normal' });
    await eventually(() => {
      expect(first.cache.policies.get('article').ttl).toBe(60);
      expect(late.cache.mode.name()).toBe('normal');
    });
  });

  it('sent by two instances at the same time ends in the same state on both', async () => {
    const [first, second] = [await start(), await start()];
    for (let ttl = 1; ttl <= 20; ttl++) {
      first.cache.policies.set('article', { ttl });
      second.cache.policies.set('article', { ttl: ttl + 100 });
    }
    await eventually(async () => {
      // Null until an instance has sent its changes and read them back: then the stream is complete.
      for (const { redis } of [first, second]) expect(redis.lastKnownChange()).not.toBeNull();
      const last = await lastMessageId();
      expect([first.redis.lastKnownChange(), second.redis.lastKnownChange()]).toEqual([last, last]);
    });
    expect(first.cache.policies.get('article')).toEqual(second.cache.policies.get('article'));
  });

  it('that an instance hears of late is reported, as the CDN may have its old entries again', async () => {
    const first = await start();
    const second = await start();
    const heard: unknown[] = [];
    second.cache.onPurge(({ tags }) => void heard.push(tags));
    const purge = async (tag: string) => {
      first.cache.purge({ tags: [tag] });
      await eventually(() => expect(heard).toContainEqual([tag]));
    };
    // Its clock says that the message has been under way for less than no time, then for a minute.
    second.advance(-60);
    await purge('post:in-time');
    second.advance(120);
    await purge('post:late');
    second.advance(-120);
    const { url } = redis;
    await redis.stop();
    first.cache.purge({ tags: ['post:delayed'] });
    first.advance(60);
    redis = await startRedis(Number(new URL(url).port));
    await eventually(() => expect(heard).toContainEqual(['post:delayed']));
    expect(second.latePurges.map(({ tags }) => tags)).toEqual([['post:late'], ['post:delayed']]);
  });

  it('sent while Redis is down reaches the others when it is back', async () => {
    const [first, second] = [await start(), await start()];
    const { url } = redis;
    await redis.stop();
    await eventually(() => expect(first.warnings).not.toEqual([]));
    first.cache.policies.set('article', { ttl: 7 });
    redis = await startRedis(Number(new URL(url).port));
    await eventually(() => expect(second.cache.policies.get('article').ttl).toBe(7));
  });
});

describe('without Redis', () => {
  it('every instance loads for itself, and shares again when it is back', async () => {
    const [first, second] = [await start(), await start()];
    const { url } = redis;
    await redis.stop();
    expect(await first.read('a')).toBe('one');
    expect(await second.read('a')).toBe('one');
    expect(upstream.calls).toBe(2);
    redis = await startRedis(Number(new URL(url).port));
    let name = 0;
    await eventually(async () => {
      name++;
      const before = upstream.calls;
      await first.read(`again-${name}`);
      await second.read(`again-${name}`);
      expect(upstream.calls).toBe(before + 1);
    });
  });

  it('that hangs, one reader waits for the timeout, and the next does not wait', async () => {
    const instance = await start({ timeoutMs: 1_000 });
    redis.hang();
    const turnsOf = async (name: string) => {
      let turns = 0;
      const counting = setInterval(() => turns++, 1);
      expect(await instance.read(name)).toBe('one');
      clearInterval(counting);
      return turns;
    };
    const first = await turnsOf('a');
    // Of the same timer, so that a machine that stands still for a while does not count as a wait.
    expect(await turnsOf('b')).toBeLessThan(first / 2);
    redis.resume();
  });
});

import { once } from 'node:events';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES } from '#server/cache/policies.ts';
import { MAX_CHANGES } from '#server/ops/change-log.ts';
import { READ_TIMEOUT_MS } from '#server/redis/redis-client.ts';
import type { Change } from '#shared/models/ops/ops-schemas.ts';
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

/** Resolves with the ids of the connections that are subscribed, oldest first. */
async function subscriberIds(client: Redis): Promise<string[]> {
  const list = String(await client.client('LIST', 'TYPE', 'PUBSUB'));
  return [...list.matchAll(/^id=(\d+)/gm)].map(([, id = '']) => id);
}

/** Returns a change of an operator. */
function changeOf(what: string): Change {
  const at = '2026-11-01T00:00:00.000Z';
  return { id: what, at, who: 'OPS_TOKEN', from: '127.0.0.1', requestId: what, what, undo: null };
}

/** Resolves once a state of the instances is in Redis, with its value. */
function stored(state: string): Promise<unknown> {
  return withRedis((client) =>
    eventually(async () => {
      const text = await client.hget('test:overrides', state);
      if (text === null) throw new Error('not stored yet');
      return JSON.parse(text);
    }),
  );
}

/** Resolves with the Redis key of an entry, once it is stored. */
async function storedKey(name = 'a'): Promise<string> {
  return withRedis((client) =>
    eventually(async () => {
      const [redisKey] = await client.keys(`test:cache:article/${name}`);
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
    await eventually(async () =>
      expect(await withRedis((client) => client.keys('test:cache:*'))).toEqual([]),
    );
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
    ['never expires', (client, redisKey) => client.persist(redisKey)],
    [
      'expires later than it was stored for, since Redis’ clock was set back',
      async (client, redisKey) => client.pexpire(redisKey, (await client.pttl(redisKey)) + 86_400_000),
    ],
  ])('that %s counts as missing', async (_what, spoil) => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    const redisKey = await storedKey('a');
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
  it('that hangs on one instance keeps no other waiting', async () => {
    const [first, second] = [await start(), await start()];
    const { promise, resolve } = Promise.withResolvers<string>();
    upstream.respond = () => promise;
    const waiting = first.read('a');
    await eventually(() => expect(upstream.calls).toBe(1));
    upstream.respond = async () => 'two';
    expect(await second.read('a')).toBe('two');
    resolve('one');
    expect(await waiting).toBe('one');
  });

  it('that began before a purge is not shared after it', async () => {
    const [first, second] = [await start(), await start()];
    const { promise, resolve } = Promise.withResolvers<string>();
    upstream.respond = () => promise;
    const waiting = first.read('a');
    await eventually(() => expect(upstream.calls).toBe(1));
    second.cache.purge({ tags: ['post:a'] });
    upstream.respond = async () => 'two';
    resolve('one');
    await waiting;
    await eventually(() => expect(first.channel.lastPurge()).toBe(second.channel.lastPurge()));
    expect(await second.read('a')).toBe('two');
  });

  it('of a search is not shared: anybody can think of one', async () => {
    const first = await start();
    const search = {
      resource: 'search',
      key: 'search/all/term',
      tags: () => [],
      load: async () => 'found',
    } as const;
    await first.cache.read(search, new DependencyTracker());
    await first.read('a');
    await storedKey();
    expect(await withRedis((client) => client.keys('test:cache:*'))).toEqual(['test:cache:article/a']);
  });

  it('of another instance serves a refresh', async () => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    const redisKey = await storedKey();
    await second.read('a');
    upstream.respond = async () => 'two';
    await age(redisKey, 61);
    first.advance(61);
    await first.read('a');
    await eventually(async () => expect(await first.read('a')).toBe('two'));
    const { ttl, swr, sie } = DEFAULT_POLICIES.article;
    const fresh = () =>
      withRedis(async (client) => (await client.pttl(redisKey)) > (ttl + swr + sie - 30) * 1_000);
    await eventually(async () => expect(await fresh()).toBe(true));
    const { calls } = upstream;
    second.advance(61);
    await second.read('a');
    await eventually(async () => expect(await second.read('a')).toBe('two'));
    expect(upstream.calls).toBe(calls);
  });

  it('that an instance has stored itself serves no refresh of its own', async () => {
    const instance = await start();
    await instance.read('a');
    const redisKey = await storedKey();
    upstream.respond = async () => 'two';
    instance.cache.mode.set({ mode: 'normal', ttlFactor: 0.5, forSeconds: 3_600 });
    await age(redisKey, 40);
    instance.advance(40);
    await instance.read('a');
    await eventually(() => expect(instance.cache.stats().article.refreshSuccesses).toBe(1));
    expect(await instance.read('a')).toBe('two');
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

  it('from before an instance started applies to the entries that it takes from Redis', async () => {
    const first = await start();
    await first.read('a');
    await storedKey();
    first.cache.purge({ all: true });
    await first.isSharing();
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

  it.each([-3, 3])(
    'by a mode ends everywhere at the same time, where the clock of one is %i hours off',
    async (hours) => {
      const [first, second] = [await start(), await start({ wallAheadMs: hours * 3_600_000 })];
      for (const [from, to] of [
        [first, second],
        [second, first],
      ] as const) {
        from.cache.mode.set({ mode: 'freeze', forSeconds: 300 });
        await eventually(() => expect(to.cache.mode.name()).toBe('freeze'));
        const endsIn = to.cache.mode.current().endsInSeconds ?? 0;
        expect(endsIn).toBeGreaterThan(200);
        expect(endsIn).toBeLessThanOrEqual(301);
        to.cache.mode.set({ mode: 'normal' });
        await eventually(() => expect(from.cache.mode.name()).toBe('normal'));
      }
    },
  );

  it('sent by two instances at the same time ends in the same state on both', async () => {
    const [first, second] = [await start(), await start()];
    for (let ttl = 1; ttl <= 20; ttl++) {
      first.cache.policies.set('article', { ttl });
      second.cache.policies.set('article', { ttl: ttl + 100 });
    }
    await eventually(async () => {
      const policy = await stored('policy:article');
      for (const { cache } of [first, second]) expect(cache.policies.changes().article).toEqual(policy);
    });
    expect(first.cache.policies.get('article')).toEqual(second.cache.policies.get('article'));
  });

  it('by a purge is sent at once where Redis was too slow for a reader', async () => {
    const [first, second] = [await start(), await start()];
    await eventually(async () => {
      await second.read('a');
      await first.client.run(() => new Promise(() => undefined), null, READ_TIMEOUT_MS);
      first.cache.purge({ tags: ['post:a'] });
      // Nothing is shared while a purge is not sent.
      await eventually(() => expect(first.channel.lastPurge()).not.toBeNull());
      // Of the second for which Redis is left alone some is left.
      expect(first.client.isUp()).toBe(false);
    });
    await eventually(() => expect(second.cache.purgeable({ all: true })).toEqual(new Set()));
  });

  it('reaches the others at once while Redis is full, as the list of instances does', async () => {
    const [first, second] = [await start(), await start()];
    await second.read('a');
    await withRedis((client) => client.config('SET', 'maxmemory', '1'));
    await expect(withRedis((client) => client.set('more', ''))).rejects.toThrow('OOM');
    first.cache.purge({ tags: ['post:a'] });
    first.cache.policies.set('article', { ttl: 7 });
    await eventually(() => {
      expect(second.cache.purgeable({ all: true })).toEqual(new Set());
      expect(second.cache.policies.get('article').ttl).toBe(7);
    });
    await eventually(async () => expect(await first.instances.write({ name: 'one' })).toBe(true));
    expect(await second.instances.list()).toMatchObject([{ sample: { name: 'one' } }]);
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

  it('by policies of two instances while Redis is down is in force on both when it is back', async () => {
    const [first, second] = [await start(), await start()];
    first.cache.policies.set('search', { ttl: 6 });
    await eventually(() => expect(second.cache.policies.get('search').ttl).toBe(6));
    const { url } = redis;
    await redis.stop();
    await eventually(() => {
      for (const { channel } of [first, second]) expect(channel.lastPurge()).toBeNull();
    });
    first.cache.policies.set('article', { ttl: 7 });
    second.cache.policies.set('topic', { ttl: 8 });
    second.cache.policies.reset('search');
    redis = await startRedis(Number(new URL(url).port));
    await eventually(() => {
      for (const { cache } of [first, second])
        expect(cache.policies.changes()).toEqual({ article: { ttl: 7 }, topic: { ttl: 8 } });
    });
  });

  it('by a policy or a mode outlives a Redis that comes back empty', async () => {
    const first = await start();
    first.cache.policies.set('article', { ttl: 7 });
    first.cache.mode.set({ mode: 'freeze', forSeconds: 300 });
    await Promise.all([stored('policy:article'), stored('mode')]);
    const { url } = redis;
    await redis.stop();
    await eventually(() => expect(first.channel.lastPurge()).toBeNull());
    redis = await startRedis(Number(new URL(url).port));
    const fields = () => withRedis((client) => client.hkeys('test:overrides'));
    await eventually(async () =>
      expect(await fields()).toEqual(expect.arrayContaining(['policy:article', 'mode'])),
    );
    const late = await start();
    expect(late.cache.policies.get('article').ttl).toBe(7);
    expect(late.cache.mode.name()).toBe('freeze');
  });

  it('by a policy is in force on all after a restart of them and of a Redis that comes back empty', async () => {
    const known = await start({ policies: { article: { ttl: 7 } } });
    const late = await start();
    expect(late.cache.policies.get('article').ttl).toBe(7);
    late.cache.policies.reset('article');
    await eventually(() => expect(known.cache.policies.changes()).toEqual({}));
    const outdated = await start({ policies: { article: { ttl: 7 } } });
    expect(outdated.cache.policies.changes()).toEqual({});
    expect(late.cache.policies.changes()).toEqual({});
  });

  it('by a policy is not taken back by what another instance has kept on its disk where Redis was emptied', async () => {
    const first = await start({ policies: { topic: { ttl: 6 } } });
    first.cache.policies.set('article', { ttl: 8 });
    first.cache.policies.reset('topic');
    await Promise.all([stored('policy:article'), stored('policy:topic')]);
    await withRedis((client) => client.flushall());
    const outdated = await start({ policies: { article: { ttl: 7 }, topic: { ttl: 6 }, event: { ttl: 5 } } });
    await eventually(() => {
      for (const { cache } of [first, outdated])
        expect(cache.policies.changes()).toEqual({ article: { ttl: 8 }, event: { ttl: 5 } });
    });
  });

  it('by a policy is not taken back by an instance that finds Redis empty at the same time', async () => {
    const [first, second] = [await start(), await start()];
    await withRedis(async (client) => {
      for (let ttl = 1; ttl <= 10; ttl++) {
        // The newest connection is that of the second: it is made anew in each round.
        const connection = (await subscriberIds(client)).at(-1) ?? '';
        await client.multi().flushall().client('KILL', 'ID', connection).exec();
        await eventually(() => expect(second.channel.lastPurge()).toBeNull());
        first.cache.policies.set('article', { ttl });
        await eventually(() => expect(second.cache.policies.get('article').ttl).toBe(ttl));
        expect(first.cache.policies.get('article').ttl).toBe(ttl);
      }
    });
  });

  it('by a policy is not taken back by what was read before it, and arrives after it', async () => {
    const first = await start();
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = await startInstance({ url: redis.url, upstream, replies: promise });
    instances.push(late);
    await withRedis(async (client) =>
      eventually(async () => expect(await subscriberIds(client)).toHaveLength(2)),
    );
    first.cache.policies.set('article', { ttl: 7 });
    await stored('policy:article');
    resolve();
    await eventually(() => expect(late.cache.policies.get('article').ttl).toBe(7));
    await late.isSharing();
    expect(late.cache.policies.get('article').ttl).toBe(7);
  });

  it('by a policy reaches an instance that finds Redis empty while the others are connected', async () => {
    const first = await start();
    first.cache.policies.set('article', { ttl: 7 });
    await stored('policy:article');
    await withRedis((client) => client.flushall());
    const late = await start();
    await eventually(() => expect(late.cache.policies.get('article').ttl).toBe(7));
    expect(first.cache.policies.get('article').ttl).toBe(7);
  });

  it('by a policy is not sent again, over what came after it, where only its reply was lost', async () => {
    let isLost = false;
    const first = await start({ losesReplies: () => isLost });
    const second = await start();
    isLost = true;
    first.cache.policies.set('article', { ttl: 1 });
    await eventually(() => expect(second.cache.policies.get('article').ttl).toBe(1));
    second.cache.policies.set('article', { ttl: 2 });
    await eventually(async () => expect(await stored('policy:article')).toEqual({ ttl: 2 }));
    isLost = false;
    await eventually(() => expect(first.cache.policies.get('article').ttl).toBe(2));
    const third = await start();
    expect(third.cache.policies.get('article').ttl).toBe(2);
  });

  it('by a purge is made once elsewhere, where only its reply was lost', async () => {
    let isLost = false;
    const first = await start({ losesReplies: () => isLost });
    const second = await start();
    let purges = 0;
    second.cache.onPurge(() => purges++);
    isLost = true;
    first.cache.purge({ tags: ['a'] });
    // It is known to be sent, although no reply comes.
    await first.isSharing();
    await eventually(() => expect(purges).toBe(1));
    isLost = false;
    second.cache.policies.set('article', { ttl: 2 });
    await eventually(() => expect(first.cache.policies.get('article').ttl).toBe(2));
    expect(purges).toBe(1);
  });

  it('that another cannot read is answered by it once at most, also where the list is full', async () => {
    const [first, second] = [await start(), await start()];
    first.changes.add(Array.from({ length: MAX_CHANGES }, (_, nth) => changeOf(`a${nth}`)));
    await eventually(() => expect(second.changes.list()).toHaveLength(MAX_CHANGES));
    // As of a version whose changes name no address. The oldest has no place beside it on the first instance alone.
    const { from: _, ...unreadable } = changeOf('z');
    first.changes.add([JSON.parse(JSON.stringify(unreadable))]);
    let told = 0;
    await withRedis(async (client) => {
      client.on('pmessage', (_pattern, _channel, text: string) => {
        if (text.includes('"changed"')) told++;
      });
      await client.psubscribe('*');
      for (let nth = 0; nth < 40; nth++) {
        first.cache.purge({ tags: [`${nth}`] });
        await first.isSharing();
        await eventually(() => expect(second.channel.lastPurge()).toBe(first.channel.lastPurge()));
      }
    });
    expect(told).toBeLessThan(20);
  });

  it('by a policy is not hidden from the next instance by a purge after Redis was emptied', async () => {
    const first = await start();
    first.cache.policies.set('article', { ttl: 7 });
    await stored('policy:article');
    await withRedis((client) => client.flushall());
    first.cache.purge({ tags: ['a'] });
    await first.isSharing();
    const late = await start();
    expect(late.cache.policies.get('article').ttl).toBe(7);
  });

  it('of two instances while Redis is down is in the list of changes that a third one reads', async () => {
    const [first, second] = [await start(), await start()];
    const { url } = redis;
    await redis.stop();
    await eventually(() => {
      for (const { channel } of [first, second]) expect(channel.lastPurge()).toBeNull();
    });
    first.changes.add([changeOf('a')]);
    second.changes.add([changeOf('b')]);
    redis = await startRedis(Number(new URL(url).port));
    await eventually(async () => expect(await stored('changes')).toHaveLength(2));
    const late = await start();
    expect(late.changes.list().map(({ what }) => what)).toEqual(expect.arrayContaining(['a', 'b']));
  });

  it('that was missed while Redis was away is made good: everything is stale, served once more and refreshed', async () => {
    const instance = await start();
    // The start made everything stale, which happens once a minute.
    instance.advance(61);
    await instance.read('a');
    const stateOfA = () => instance.cache.explain('article/a', 'article').state;
    expect(stateOfA()).toBe('fresh');
    const { url } = redis;
    await redis.stop();
    redis = await startRedis(Number(new URL(url).port));
    await eventually(() => expect(stateOfA()).toBe('stale'));
    upstream.respond = async () => 'two';
    expect(await instance.read('a')).toBe('one');
    await eventually(async () => expect(await instance.read('a')).toBe('two'));
  });

  it('by a purge holds where Redis comes back with its data of before', async () => {
    const instance = await start();
    // The start made everything stale, which happens once a minute.
    instance.advance(61);
    await instance.read('a');
    const redisKey = await storedKey();
    await withRedis(async (client) => {
      await client.copy(redisKey, 'before');
      const purgeBefore = (await client.hget('test:overrides', 'purge')) ?? '';
      instance.cache.purge({ all: true });
      await instance.isSharing();
      upstream.respond = async () => 'two';
      expect(await instance.read('a')).toBe('two');
      const bytes = await client.getBuffer('before');
      await eventually(async () => expect(await client.getBuffer(redisKey)).not.toEqual(bytes));
      await client
        .multi()
        .copy('before', redisKey, 'REPLACE')
        .hset('test:overrides', 'purge', purgeBefore)
        .client('KILL', 'TYPE', 'pubsub')
        .exec();
    });
    await eventually(() => expect(instance.cache.explain('article/a', 'article').state).toBe('stale'));
    await instance.isSharing();
    expect(await instance.read('a')).toBe('two');
    await eventually(() => expect(instance.cache.explain('article/a', 'article').state).toBe('fresh'));
    expect(await instance.read('a')).toBe('two');
  });

  it('by a purge that an instance could not send before it was killed is sent when it starts again', async () => {
    const [killed, other] = [await start(), await start()];
    await killed.read('a');
    await storedKey();
    await other.read('a');
    killed.close();
    upstream.respond = async () => 'two';
    const again = await start({ since: other.channel.lastPurge(), purges: [{ tags: ['post:a'] }] });
    expect(await again.read('a')).toBe('two');
    await eventually(async () => expect(await other.read('a')).toBe('two'));
  });

  it('that a snapshot does not know of makes what it restored stale; one that knows them all is as fresh as it was', async () => {
    const first = await start();
    first.cache.purge({ tags: ['post:a'] });
    await first.isSharing();
    const restored = async (since: string | null) => {
      const instance = await startInstance({ url: redis.url, upstream, since });
      instances.push(instance);
      await instance.read('b');
      await instance.isSharing();
      return instance.cache.explain('article/b', 'article').state;
    };
    expect(await restored('earlier')).toBe('stale');
    expect(await restored(first.channel.lastPurge())).toBe('fresh');
  });

  it('is subscribed to once on each connection, by a command whose timeout ends nothing', async () => {
    const subscriptions: number[] = [];
    const info = 'redis_version:7.0.0';
    const replies = new Map([
      ['client', '+OK\r\n'],
      ['info', `$${info.length}\r\n${info}\r\n`],
    ]);
    const silent = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        const names = [...String(bytes).matchAll(/\r\n(client|info|subscribe)(?=\r\n)/gi)];
        const subscribing = names.filter(([, name]) => name?.toLowerCase() === 'subscribe').length;
        for (const [, name = ''] of names) socket.write(replies.get(name.toLowerCase()) ?? '');
        if (subscribing === 0) return;
        subscriptions.push(subscribing);
        // The first is confirmed, and its connection lost.
        if (subscriptions.length > 1) return;
        socket.write('*3\r\n$9\r\nsubscribe\r\n$12\r\ntest:channel\r\n:1\r\n', () => socket.destroySoon());
      });
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    instances.push(
      await startInstance({ url: `redis://127.0.0.1:${port}`, upstream, commandTimeoutMs: 250 }),
    );
    await eventually(() => expect(subscriptions.length).toBeGreaterThan(3));
    expect(new Set(subscriptions)).toEqual(new Set([1]));
    silent.close();
  });

  it('is heard again within seconds by an instance whose Redis was silent', async () => {
    const [first, second] = [await start({ commandTimeoutMs: 250 }), await start()];
    redis.hang();
    await eventually(() => expect(first.channel.lastPurge()).toBeNull());
    first.cache.policies.set('article', { ttl: 7 });
    redis.resume();
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
    await Promise.all([first.isSharing(), second.isSharing()]);
    await first.read('b');
    await storedKey('b');
    await second.read('b');
    expect(upstream.calls).toBe(3);
  });

  it('that hangs, one reader waits for the timeout, and the next does not wait', async () => {
    const instance = await start({ timeoutMs: 200, commandTimeoutMs: 250 });
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

  it('that is away, the log says so once a minute', async () => {
    const instance = await start();
    const logged = async () => {
      await instance.client.attempt(() => Promise.reject(new Error('away')), null);
      return instance.warnings.length;
    };
    expect([await logged(), await logged()]).toEqual([1, 1]);
    instance.advance(16);
    expect(await logged()).toBe(1);
    instance.advance(60);
    expect([await logged(), await logged()]).toEqual([2, 2]);
  });

  it('that became a replica, its client connects anew, and works again once it is a primary', async () => {
    const [first, second] = [await start(), await start()];
    await withRedis((client) => client.replicaof('127.0.0.1', 1));
    first.cache.policies.set('article', { ttl: 7 });
    await withRedis((client) => client.replicaof('NO', 'ONE'));
    await eventually(() => expect(second.cache.policies.get('article').ttl).toBe(7));
  });

  it('that allows its user no channel, an instance says so', async () => {
    await withRedis((client) => client.acl('SETUSER', 'site', 'on', '>password', '~*', '+@all'));
    const instance = await startInstance({ url: redis.url.replace('//', '//site:password@'), upstream });
    instances.push(instance);
    await eventually(() =>
      expect(instance.warnings).toEqual([{ reason: expect.stringContaining('NOPERM') }]),
    );
  });

  it('that has no database of the number in its URL, an instance works alone, and not in database 0', async () => {
    const instance = await startInstance({ url: `${redis.url}/99`, upstream });
    instances.push(instance);
    await eventually(() => expect(instance.warnings).toEqual([{ reason: 'ERR DB index is out of range' }]));
    instance.cache.policies.set('article', { ttl: 7 });
    expect(await instance.read('a')).toBe('one');
    expect(await withRedis((client) => client.dbsize())).toBe(0);
    expect(instance.client.isUp()).toBe(false);
  });
});

describe('the list of instances', () => {
  const nameOf = z.object({ name: z.string() });
  /** On a busy machine a reply may come too late, which is as if Redis were away. */
  const untilWritten = (instance: Instance, name: string) =>
    eventually(async () => expect(await instance.instances.write({ name })).toBe(true));
  const untilNamesAre = (instance: Instance, names: string[]) =>
    eventually(async () => {
      const found = await instance.instances.list();
      expect(found?.map(({ sample }) => nameOf.parse(sample).name).sort()).toEqual(names);
      return found ?? [];
    });

  it('has the newest sample of each, and says which is its own', async () => {
    const [first, second] = [await start(), await start()];
    for (const name of ['old', 'one']) await untilWritten(first, name);
    await untilWritten(second, 'two');
    await untilNamesAre(first, ['one', 'two']);
    const own = (await untilNamesAre(second, ['one', 'two'])).filter(({ isOwn }) => isOwn);
    expect(own).toMatchObject([{ sample: { name: 'two' } }]);
    expect(own[0]?.ageMs).toBeLessThan(30_000);
  });

  it('loses an instance that leaves, one whose sample has expired, and what is no sample', async () => {
    const [first, second] = [await start(), await start()];
    await untilWritten(first, 'one');
    await untilWritten(second, 'two');
    await withRedis(async (client) => {
      await client.sadd('test:instances', 'foreign', 'expired');
      await client.set('test:instances:foreign', 'poison');
    });
    await untilNamesAre(first, ['one', 'two']);
    await eventually(async () => expect(await withRedis((client) => client.scard('test:instances'))).toBe(2));
    await eventually(async () => {
      await second.instances.leave();
      expect(await withRedis((client) => client.scard('test:instances'))).toBe(1);
    });
    await untilNamesAre(first, ['one']);
  });

  it('is written and read where Redis was too slow for a reader', async () => {
    const instance = await start();
    await eventually(async () => {
      await instance.client.run(() => new Promise(() => undefined), null, READ_TIMEOUT_MS);
      await instance.instances.leave();
      expect(await instance.instances.write({ name: 'one' })).toBe(true);
      expect(await instance.instances.list()).toMatchObject([{ sample: { name: 'one' } }]);
      // Of the second for which Redis is left alone some is left.
      expect(instance.client.isUp()).toBe(false);
    });
  });

  it('is null while Redis is away', async () => {
    const instance = await start({ commandTimeoutMs: 250 });
    redis.hang();
    expect(await instance.instances.write({ name: 'one' })).toBe(false);
    expect(await instance.instances.list()).toBeNull();
    redis.resume();
  });
});

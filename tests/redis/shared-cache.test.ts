import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Instance,
  type InstanceOptions,
  nothing,
  type SharedUpstream,
  startInstance,
} from './instances.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

let redis: RedisServer;
let upstream: SharedUpstream;
let instances: Instance[];

beforeEach(async () => {
  redis = await startRedis();
  upstream = { asked: 0, response: async () => 'one' };
  instances = [];
});

afterEach(async () => {
  for (const instance of instances) instance.close();
  await redis.stop();
});

async function start(options: Partial<InstanceOptions> = {}): Promise<Instance> {
  const instance = await startInstance({ url: redis.url, upstream, ...options });
  instances.push(instance);
  await instance.joined();
  return instance;
}

/** However busy the machine is. */
function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

/** Lets time pass for a copy in Redis. */
async function age(place: string, seconds: number): Promise<void> {
  await withRedis(async (client) => client.pexpire(place, (await client.pttl(place)) - seconds * 1_000));
}

/** Somebody who may change what stands in Redis. */
async function withRedis<T>(work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(redis.url);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

/** How many changes were told, and the last of them: two instances may both know of the same and not yet of all. */
async function changeLog(): Promise<{ length: number; last: string | undefined }> {
  return withRedis(async (client) => {
    const [key = ''] = await client.keys('*:changes');
    const [last] = await client.xrevrange(key, '+', '-', 'COUNT', 1);
    return { length: await client.xlen(key), last: last?.[0] };
  });
}

async function copyIsShared(name = 'a'): Promise<string> {
  return withRedis((client) =>
    eventually(async () => {
      const [place] = await client.keys(`*:copy:article/${name}`);
      if (place === undefined) throw new Error('no copy yet');
      return place;
    }),
  );
}

describe('a copy', () => {
  it('that one instance has loaded is served by another without asking the upstream', async () => {
    const [first, second] = [await start(), await start()];
    expect(await first.read('a')).toBe('one');
    await copyIsShared();
    upstream.response = async () => 'two';
    expect(await second.read('a')).toBe('one');
    expect(upstream.asked).toBe(1);
  });

  it('keeps its age: what is stale elsewhere is stale here, and is refreshed', async () => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    const place = await copyIsShared();
    // As if 70 of its seconds had passed: an article is fresh for 60.
    await age(place, 70);
    upstream.response = async () => 'two';
    expect(await second.read('a')).toBe('one');
    await eventually(async () => expect(await second.read('a')).toBe('two'));
  });

  it('stands in for an upstream that is down, for an instance that never saw it up', async () => {
    const first = await start();
    await first.read('a');
    await copyIsShared();
    upstream.response = () => Promise.reject(new Error('down'));
    const second = await start();
    expect(await second.read('a')).toBe('one');
    await expect(second.read('b')).rejects.toThrow('down');
  });

  it('is dropped for everybody who comes later when the upstream says that there is nothing any more', async () => {
    const first = await start();
    await first.read('a');
    await age(await copyIsShared(), 61);
    upstream.response = nothing;
    first.pass(61);
    await first.read('a');
    await eventually(async () => expect(await withRedis((client) => client.keys('*:copy:*'))).toEqual([]));
    const second = await start();
    await expect(second.read('a')).rejects.toThrow('does not exist');
  });

  it.each<[string, (client: Redis, place: string) => Promise<unknown>]>([
    ['is no copy at all', (client, place) => client.set(place, 'poison', 'PX', 60_000)],
    ['is of another type', (client, place) => client.del(place).then(() => client.rpush(place, 'poison'))],
    [
      'was cut short',
      async (client, place) =>
        client.set(place, (await client.getBuffer(place))?.subarray(0, -9) ?? '', 'KEEPTTL'),
    ],
    [
      'belongs under another key',
      async (client, place) => {
        const other = place.replace('article/a', 'article/b');
        await client.copy(other, place, 'REPLACE');
      },
    ],
    ['never ends', (client, place) => client.persist(place)],
  ])('that %s is none', async (_what, spoil) => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    await first.read('b');
    const place = await copyIsShared('a');
    await copyIsShared('b');
    await withRedis((client) => spoil(client, place));
    upstream.response = async () => 'two';
    expect(await second.read('a')).toBe('two');
  });

  it('of another version of the model is none', async () => {
    const [first, second] = [await start(), await start({ version: 'next' })];
    await first.read('a');
    await copyIsShared();
    upstream.response = async () => 'two';
    expect(await second.read('a')).toBe('two');
  });
});

describe('a load', () => {
  it('is one for all instances, however many ask at once', async () => {
    const three = [await start(), await start(), await start()];
    const { promise, resolve } = Promise.withResolvers<string>();
    upstream.response = () => promise;
    const reads = three.map((instance) => instance.read('a'));
    await eventually(() => expect(upstream.asked).toBe(1));
    resolve('one');
    expect(await Promise.all(reads)).toEqual(['one', 'one', 'one']);
    expect(upstream.asked).toBe(1);
  });

  it('is one for all instances when their copies grow stale together', async () => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    await copyIsShared();
    await second.read('a');
    upstream.response = async () => 'two';
    const place = await copyIsShared();
    await age(place, 61);
    for (const instance of [first, second]) instance.pass(61);
    await Promise.all([first.read('a'), second.read('a')]);
    await eventually(async () => {
      expect(await first.read('a')).toBe('two');
      expect(await second.read('a')).toBe('two');
    });
    expect(upstream.asked).toBe(2);
  });

  it('that fails on one instance is tried by the next', async () => {
    const [first, second] = [await start(), await start()];
    let isFirst = true;
    upstream.response = () => {
      if (!isFirst) return Promise.resolve('one');
      isFirst = false;
      return Promise.reject(new Error('down'));
    };
    const responses = await Promise.allSettled([first.read('a'), second.read('a')]);
    expect(responses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a change', () => {
  it('of a purge reaches every instance, and the copy that they share', async () => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    await copyIsShared();
    await second.read('a');
    upstream.response = async () => 'two';
    expect(first.cache.purge({ tags: ['post:a'] })).toBe(1);
    await eventually(async () => expect(await second.read('a')).toBe('two'));
    expect(await first.read('a')).toBe('two');
  });

  it('that is about something else leaves a shared copy as it is', async () => {
    const [first, second] = [await start(), await start()];
    await first.read('a');
    await copyIsShared();
    first.cache.purge({ tags: ['post:b'] });
    await eventually(() => expect(second.secondLevel.knownChange()).not.toBe('0-0'));
    await second.read('a');
    expect(upstream.asked).toBe(1);
  });

  it('that was missed is made up for before a shared copy is believed', async () => {
    const first = await start();
    await first.read('a');
    await copyIsShared();
    first.cache.purge({ all: true });
    await eventually(() => expect(first.secondLevel.knownChange()).not.toBe('0-0'));
    upstream.response = async () => 'two';
    const late = await start();
    expect(await late.read('a')).toBe('two');
  });

  it('of a policy or the mode is in force everywhere, and for who starts later', async () => {
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

  it('on two instances at once ends with the same on both', async () => {
    const [first, second] = [await start(), await start()];
    for (let ttl = 1; ttl <= 20; ttl++) {
      first.cache.policies.set('article', { ttl });
      second.cache.policies.set('article', { ttl: ttl + 100 });
    }
    await eventually(async () => {
      const { length, last } = await changeLog();
      expect(length).toBe(40);
      expect([first.secondLevel.knownChange(), second.secondLevel.knownChange()]).toEqual([last, last]);
    });
    expect(first.cache.policies.get('article')).toEqual(second.cache.policies.get('article'));
  });

  it('made while Redis was away reaches the others when it is back', async () => {
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
  it('every instance asks for itself, and shares again when it is back', async () => {
    const [first, second] = [await start(), await start()];
    const { url } = redis;
    await redis.stop();
    expect(await first.read('a')).toBe('one');
    expect(await second.read('a')).toBe('one');
    expect(upstream.asked).toBe(2);
    redis = await startRedis(Number(new URL(url).port));
    let name = 0;
    await eventually(async () => {
      name++;
      const before = upstream.asked;
      await first.read(`again-${name}`);
      await second.read(`again-${name}`);
      expect(upstream.asked).toBe(before + 1);
    });
  });

  it('that hangs, a reader waits for no more than its budget, and the next for nothing', async () => {
    const instance = await start({ budgetMs: 1_000 });
    redis.hang();
    let began = performance.now();
    expect(await instance.read('a')).toBe('one');
    expect(performance.now() - began).toBeLessThan(2_000);
    began = performance.now();
    expect(await instance.read('b')).toBe('one');
    expect(performance.now() - began).toBeLessThan(900);
    redis.resume();
  });
});

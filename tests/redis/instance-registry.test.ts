import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createInstanceRegistry } from '#server/redis/instance-registry.ts';
import { connectRedis } from '#server/redis/redis-client.ts';
import { type Instance, startInstance } from './instances.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

const MANY = 30;

let redis: RedisServer;
let direct: Redis;
let instances: Instance[];

beforeEach(async () => {
  redis = await startRedis();
  direct = new Redis(redis.url);
  // A test stops its Redis.
  direct.on('error', () => undefined);
  instances = [];
});

afterEach(async () => {
  for (const instance of instances) instance.close();
  direct.disconnect();
  await redis.stop();
});

async function start(timeoutMs?: number): Promise<Instance> {
  const upstream = { calls: 0, respond: async () => 'value' };
  const instance = await startInstance({ url: redis.url, upstream, timeoutMs });
  instances.push(instance);
  await instance.isSharing();
  return instance;
}

/** Starts an instance that others know. */
async function startKnown(name: string, timeoutMs?: number): Promise<Instance> {
  const instance = await start(timeoutMs);
  expect(await instance.redis.instances.publish({ name })).toBe(true);
  return instance;
}

/** Retries for long enough on a busy machine. */
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

const namesOf = (listed: Awaited<ReturnType<Instance['redis']['instances']['list']>>) =>
  listed?.map(({ sample }) => (sample as { name: string }).name).sort();

async function registryKey(): Promise<string> {
  const [key] = await direct.keys('*:instances');
  if (key === undefined) throw new Error('there is no registry');
  return key;
}

it('each instance knows all, and which of them it is', async () => {
  const [one, other] = [await startKnown('one'), await startKnown('other')];
  for (const [instance, name] of [
    [one, 'one'],
    [other, 'other'],
  ] as const) {
    const listed = await instance.redis.instances.list();
    expect(namesOf(listed)).toEqual(['one', 'other']);
    expect(namesOf(listed?.filter(({ isOwn }) => isOwn) ?? null)).toEqual([name]);
  }
});

it('a change has reached all that know it; one that hangs is missing until it has read it', async () => {
  const one = await startKnown('one');
  const other = await startKnown('other');
  const third = await startKnown('third');
  one.cache.purge({ all: true });
  const reach = await one.redis.instances.reached();
  expect(namesOf([...(reach?.applied ?? [])])).toEqual(['other', 'third']);
  expect(reach?.missing).toEqual([]);
  // Its process is gone, and it could not say so.
  other.close();
  third.cache.policies.set('topic', { ttl: 7 });
  const later = await third.redis.instances.reached();
  expect(namesOf([...(later?.missing ?? [])])).toEqual(['other']);
  expect(namesOf([...(later?.applied ?? [])])).toEqual(['one']);
  expect(one.cache.policies.get('topic').ttl).toBe(7);
});

it('an instance that has died is not waited for once it is silent, and still named', async () => {
  const one = await startKnown('one');
  (await startKnown('other')).close();
  const key = await registryKey();
  for (const [id, value] of Object.entries(await direct.hgetall(key)))
    await direct.hset(
      key,
      id,
      value.replace(/^\d+/, (at) => String(Number(at) - 60_000)),
    );
  const stream = { sent: async () => '9999999999999-0', onRead: () => undefined, lastReadId: () => '0-0' };
  const options = { url: redis.url, clock: () => 0, logger: { warn: () => undefined } };
  const client = await connectRedis({ ...options, timeoutMs: 5_000 });
  try {
    await eventually(() => expect(client.isUp()).toBe(true));
    // Its clock stands still: it would wait for ever.
    const prefix = key.replace(/:instances$/, '');
    const registry = createInstanceRegistry({ client, stream, prefix, clock: () => 0 });
    const reach = await registry.reached();
    expect(reach?.applied).toEqual([]);
    expect(namesOf([...(reach?.missing ?? [])])).toEqual(['one', 'other']);
    expect(reach?.missing.every(({ ageMs }) => ageMs >= 60_000)).toBe(true);
  } finally {
    client.close();
    one.close();
  }
});

it('an instance that leaves is forgotten at once', async () => {
  const [one, other] = [await startKnown('one'), await startKnown('other')];
  await other.redis.instances.leave();
  expect(namesOf(await one.redis.instances.list())).toEqual(['one']);
  // Messages that it still reads do not bring it back.
  one.cache.purge({ all: true });
  await one.redis.instances.reached();
  expect(namesOf(await one.redis.instances.list())).toEqual(['one']);
});

it('nobody is known while Redis is away, and everybody is known again when it is back', async () => {
  const [one, other] = [await startKnown('one'), await startKnown('other')];
  const port = Number(new URL(redis.url).port);
  await redis.stop();
  await eventually(() => expect(one.redis.isUp()).toBe(false));
  expect(await one.redis.instances.list()).toBeNull();
  expect(await one.redis.instances.publish({ name: 'one' })).toBe(false);
  one.cache.purge({ all: true });
  expect(await one.redis.instances.reached()).toBeNull();
  redis = await startRedis(port);
  await eventually(async () => {
    await one.redis.instances.publish({ name: 'one' });
    await other.redis.instances.publish({ name: 'other' });
    expect(namesOf(await one.redis.instances.list())).toEqual(['one', 'other']);
  });
  await eventually(async () => {
    const reach = await one.redis.instances.reached();
    expect(namesOf([...(reach?.applied ?? [])])).toEqual(['other']);
  });
});

it('nobody is known while Redis hangs, and a change is not held up for long', async () => {
  const [one] = [await startKnown('one', 1_000), await startKnown('other')];
  redis.hang();
  expect(await one.redis.instances.list()).toBeNull();
  one.cache.purge({ all: true });
  expect(await one.redis.instances.reached()).toBeNull();
  redis.resume();
  await eventually(async () => expect(namesOf(await one.redis.instances.list())).toEqual(['one', 'other']));
});

it('many changes at once cost few commands, and the last of them is reported', async () => {
  const [one, other] = [await startKnown('one'), await startKnown('other')];
  const commands = async () =>
    Number(/cmdstat_eval:calls=(\d+)/.exec(await direct.info('commandstats'))?.[1] ?? 0);
  const before = await commands();
  for (let change = 0; change < 500; change++) {
    one.cache.purge({ tags: [`post:${change}`] });
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await one.redis.instances.reached())?.missing).toEqual([]);
  // One for each change and instance would be 1,000.
  expect((await commands()) - before).toBeLessThan(500);
  // `reached` waits for the others alone: the sender tells of its own last change up to a tenth of a second later.
  await eventually(async () =>
    expect((await other.redis.instances.list())?.map(({ isBehind }) => isBehind)).toEqual([false, false]),
  );
});

it('ages do not depend on the clocks of the instances', async () => {
  const [one, other] = [await startKnown('one'), await startKnown('other')];
  other.advance(-100_000);
  one.advance(1_000_000);
  await other.redis.instances.publish({ name: 'other' });
  const listed = await one.redis.instances.list();
  expect(Math.max(...(listed ?? []).map(({ ageMs }) => ageMs))).toBeLessThan(15_000);
  one.cache.purge({ all: true });
  expect((await one.redis.instances.reached())?.missing).toEqual([]);
});

it('a sample from the future, as after a step of Redis’ clock, counts as of now', async () => {
  const one = await startKnown('one');
  await startKnown('other');
  const key = await registryKey();
  for (const [id, value] of Object.entries(await direct.hgetall(key)))
    await direct.hset(
      key,
      id,
      value.replace(/^\d+/, (at) => String(Number(at) + 3_600_000)),
    );
  expect((await one.redis.instances.list())?.map(({ ageMs }) => ageMs)).toEqual([0, 0]);
  const stamps = (await direct.hvals(key)).map((value) => Number(value.split(' ')[0]));
  expect(Math.max(...stamps)).toBeLessThan(Date.now() + 60_000);
});

it(`${MANY} instances know each other, and a change reaches all of them`, async () => {
  await Promise.all(Array.from({ length: MANY }, (_, index) => startKnown(`web-${index}`)));
  const [one] = instances;
  if (!one) throw new Error('none was started');
  expect(await one.redis.instances.list()).toHaveLength(MANY);
  for (let change = 0; change < 5; change++) {
    one.cache.purge({ tags: [`post:${change}`] });
    const reach = await one.redis.instances.reached();
    expect(reach?.applied).toHaveLength(MANY - 1);
    expect(reach?.missing).toEqual([]);
  }
});

it.each<[string, (key: string) => Promise<unknown>]>([
  ['a text in place of the hash', (key) => direct.multi().del(key).set(key, 'x').exec()],
  ['a list in place of the hash', (key) => direct.multi().del(key).lpush(key, 'x').exec()],
  ['a sample without a time', (key) => direct.hset(key, 'evil', '{}')],
  ['a sample of another form', (key) => direct.hset(key, 'evil', `${Date.now()} {"appliedId":7}`)],
  ['a sample that is no JSON', (key) => direct.hset(key, 'evil', `${Date.now()} {{{`)],
  ['a time too large', (key) => direct.hset(key, 'evil', `${'9'.repeat(400)} {}`)],
  ['a sample too large', (key) => direct.hset(key, 'evil', `${Date.now()} "${'x'.repeat(100_000)}"`)],
  [
    'ten thousand samples',
    (key) =>
      direct.hset(
        key,
        Object.fromEntries(Array.from({ length: 10_000 }, (_, id) => [id, `${Date.now()} {}`])),
      ),
  ],
])('%s in Redis is removed or ignored, and Redis stays in use', async (_what, spoil) => {
  const one = await startKnown('one');
  await spoil(await registryKey());
  await one.redis.instances.publish({ name: 'one' });
  expect(namesOf(await one.redis.instances.list())).toEqual(['one']);
  expect(one.redis.isUp()).toBe(true);
  expect(one.warnings).toEqual([]);
});

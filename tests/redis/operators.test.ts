import { hostname } from 'node:os';
import { Redis } from 'ioredis';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

let redis: RedisServer;
let sites: SiteUnderTest[];

/** Instances are called by host and `PORT`. */
const PORTS = ['8001', '8002', '8003'];
const NAMES = PORTS.map((port) => `${hostname()}:${port}`);

async function start(port = '', database = '/0'): Promise<void> {
  const [first] = sites;
  const env = { REDIS_URL: redis.url + database, PORT: port };
  sites.push(await startSiteUnderTest(env, first && { demoCms: first.demoCms }));
}

beforeEach(async () => {
  redis = await startRedis();
  sites = [];
  for (const port of PORTS) await start(port);
});

afterEach(async () => {
  for (const site of sites.toReversed()) await site.close();
  await redis.stop();
});

/** Retries for long enough on a busy machine. */
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

/** The operators' listener of an instance: the first is 0. */
function ops(index: number) {
  const site = sites[index];
  if (!site) throw new Error(`there is no instance ${index}`);
  return request(site.ops);
}

async function all(index = 0) {
  return (await ops(index).get('/instances').expect(200)).body;
}

const namesOf = ({ instances }: { instances: { name: string }[] }) => instances.map(({ name }) => name);

async function knowEachOther(): Promise<void> {
  for (const index of [0, 1, 2])
    await eventually(async () => expect(namesOf(await all(index))).toEqual(NAMES));
}

describe('several instances', () => {
  beforeEach(knowEachOther);

  it('are listed by each of them, with what they run and the policies they have', async () => {
    await ops(1).patch('/cache/policies/topic').send({ ttl: 77 }).expect(200);
    const instances = await eventually(async () => {
      const { redis: state, instances } = await all();
      expect(state).toBe('up');
      expect(instances).toHaveLength(3);
      expect(instances[0]).toMatchObject({ isOwn: true, state: 'ready' });
      // Sampled for this response, not at the last interval.
      expect(instances[0].secondsAgo).toBeLessThan(5);
      return instances;
    });
    await eventually(async () => expect((await all()).instances[0].policies).toEqual({ topic: { ttl: 77 } }));
    await eventually(async () => expect((await all()).instances[2].policies).toEqual({ topic: { ttl: 77 } }));
    expect(instances[1].version).toBe(instances[0].version);
  });

  it('hear nothing of those in another database of the same Redis', async () => {
    await start('8004', '?db=1');
    const client = new Redis(redis.url);
    const listeners = async () => {
      const channels = (await client.pubsub('CHANNELS')).map(String);
      return (await client.pubsub('NUMSUB', ...channels)).filter((each) => typeof each === 'number').sort();
    };
    await eventually(async () => expect(await listeners()).toEqual([1, 3]));
    client.disconnect();
  });

  it('say that Redis is not used while it allows them no channel', async () => {
    const client = new Redis(redis.url);
    for (const [channels, isUp] of [
      ['resetchannels', 0],
      ['allchannels', 1],
    ] as const) {
      await client.acl('SETUSER', 'default', channels);
      await eventually(async () =>
        expect((await ops(0).get('/metrics')).text).toContain(`\nredis_up ${isUp}\n`),
      );
    }
    client.disconnect();
  });

  it('have received a change soon after the response to it', async () => {
    const policy = await ops(0).patch('/cache/policies/topic').send({ ttl: 77 }).expect(200);
    expect(policy.body).toMatchObject({ ttl: 77, persisted: true });
    for (const index of [1, 2])
      await eventually(async () => expect((await ops(index).get('/cache/policies')).body.topic.ttl).toBe(77));
    await ops(1).delete('/cache/policies/topic').expect(200);
    await eventually(async () => expect((await ops(2).get('/cache/policies')).body.topic.ttl).toBe(30));
    await ops(2).patch('/cache/mode').send({ mode: 'freeze', forSeconds: 60 }).expect(200);
    await eventually(async () => expect((await ops(0).get('/cache/mode')).body.mode).toBe('freeze'));
  });

  it('have a change in Redis before the response to it', async () => {
    const client = new Redis(redis.url);
    const [key = ''] = await client.keys('*:overrides');
    let ttl = 0;
    // Again where the machine was too busy to tell Redis within the deadline of a command.
    await eventually(async () => {
      await client.client('PAUSE', 100, 'WRITE');
      await ops(0).patch('/cache/policies/topic').send({ ttl: ++ttl }).expect(200);
      expect(await client.hget(key, 'policy:topic')).toBe(JSON.stringify({ ttl }));
    });
    client.disconnect();
  });

  it('know the last changes of all, also one that starts later, and those made while Redis was away', async () => {
    const changes = async (index: number) =>
      (await ops(index).get('/changes').expect(200)).body.changes.map(({ what }: { what: string }) => what);
    await ops(0).patch('/cache/policies/topic').send({ ttl: 77 }).expect(200);
    await ops(1).patch('/cache/policies/home').send({ ttl: 78 }).expect(200);
    const both = ['policy of home', 'policy of topic'];
    for (const index of [0, 1, 2]) await eventually(async () => expect(await changes(index)).toEqual(both));

    const port = Number(new URL(redis.url).port);
    await redis.stop();
    await eventually(async () => expect((await all()).redis).toBe('down'));
    await ops(2).patch('/cache/policies/ads').send({ ttl: 79 }).expect(200);
    redis = await startRedis(port);
    await eventually(async () => expect(await changes(0)).toEqual(['policy of ads', ...both]));

    await sites.pop()?.close();
    await start(PORTS[2]);
    await eventually(async () => expect(await changes(2)).toEqual(['policy of ads', ...both]));
  });

  it('are one less once one has stopped, and a change reaches the others', async () => {
    await sites.pop()?.close();
    await eventually(async () => expect(namesOf(await all())).toEqual(NAMES.slice(0, 2)));
    await ops(0).patch('/cache/policies/topic').send({ ttl: 78 }).expect(200);
    await eventually(async () => expect((await ops(1).get('/cache/policies')).body.topic.ttl).toBe(78));
  });

  it('know themselves alone while Redis is away, and each other again when it is back', async () => {
    const port = Number(new URL(redis.url).port);
    await redis.stop();
    await eventually(async () => expect((await all()).redis).toBe('down'));
    expect(namesOf(await all())).toEqual(NAMES.slice(0, 1));
    await ops(0).patch('/cache/policies/topic').send({ ttl: 78 }).expect(200);
    redis = await startRedis(port);
    await knowEachOther();
    await eventually(async () => expect((await ops(1).get('/cache/policies')).body.topic.ttl).toBe(78));
  });
});

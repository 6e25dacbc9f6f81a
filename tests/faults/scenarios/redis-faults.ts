import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startRedisProxy } from '../../redis/redis-proxy.ts';
import { type RedisServer, startRedis } from '../../redis/redis-server.ts';
import type { FaultName } from '../fault-table.ts';
import { type ServerProcess, startServer, terminate } from '../processes/server-process.ts';
import {
  DEADLINE_MS,
  type DrillSite,
  eventually,
  LONG_TIMEOUT,
  milliseconds,
  request,
  SLACK_MS,
  startDrillSite,
} from '../processes/site-process.ts';
import type { Report } from '../report.ts';

type RedisFault = Exclude<Extract<FaultName, `redis${string}`>, 'redisLies'>;

/** What spoils a Redis, and what mends it. */
interface Spoiling {
  spoil(redis: SpoiledRedis): Promise<unknown> | unknown;
  mend(redis: SpoiledRedis): Promise<unknown> | unknown;
}

/** A Redis behind a proxy that may be slow. */
interface SpoiledRedis {
  server: RedisServer;
  port: number;
  /** Of its append-only file, which is synced before each reply. */
  dir: string;
  command: Redis;
  delayBy(ms: number): void;
}

const SPOILINGS: Record<RedisFault, Spoiling> = {
  redisAbsent: {
    spoil: ({ server }) => server.stop(),
    async mend(redis) {
      redis.server = await startRedis(redis.port, redis.dir);
    },
  },
  redisSilent: { spoil: ({ server }) => server.hang(), mend: ({ server }) => server.resume() },
  redisReadOnly: {
    spoil: ({ command }) => command.replicaof('127.0.0.1', 1),
    mend: ({ command }) => command.replicaof('NO', 'ONE'),
  },
  redisEmpty: { spoil: ({ command }) => command.flushall(), mend: () => undefined },
  redisSlow: { spoil: ({ delayBy }) => delayBy(300), mend: ({ delayBy }) => delayBy(0) },
};
const FAULTS = Object.keys(SPOILINGS).filter((name): name is RedisFault => name in SPOILINGS);

const ROUNDS = 8;
/** Of each instance. */
const READS_A_ROUND = 100;
const SHORT_ROUNDS = 1;
const WARM_UP_ROUNDS = 4;
/** A busy machine gets so many more chances. */
const MAX_REPEATS = 3;
/** To each instance. */
const POSTS = 10;
const POST_INTERVAL_MS = 300;
/** How long the upstream fails while Redis does. */
const FAILING_MS = 30_000;
const SHORT_FAILING_MS = 3_000;
const MAX_P99_RATIO = 1.5;
/** What a read may wait for Redis (ms), and its own time. Below it a ratio says nothing. */
const LEAST_P99_MS = 25;
/** `UPSTREAM_TIMEOUT_MS` and a second. */
const POST_MS = DEADLINE_MS + 1_000;
const RECOVERY_MS = 10_000;
const ARRIVAL_MS = 90_000;
const UP_MS = 20_000;
/** Upper bound of a page whose upstream responds without delay. */
const IMMEDIATE_MS = 500;

/** Tests two instances on a Redis that fails, with a healthy upstream and with one that fails meanwhile; and one that lies. */
export async function drillRedisFaults(report: Report, short: boolean): Promise<void> {
  for (const fault of FAULTS) await withInstances(report, fault, short);
  await lies(report);
}

async function withInstances(report: Report, fault: RedisFault, short: boolean): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'redis-'));
  const server = await startRedis(undefined, dir);
  const port = Number(new URL(server.url).port);
  const proxy = await startRedisProxy(port);
  const command = new Redis(server.url);
  // A fault is that it is not there.
  command.on('error', () => undefined);
  const redis: SpoiledRedis = { server, port, dir, command, delayBy: proxy.delayBy };
  const site = await startDrillSite({ REDIS_URL: proxy.url });
  const second = await startBeside(site, 'second', { REDIS_URL: proxy.url });
  const alone = await startBeside(site, 'alone', {});
  const servers = [site.server(), second];
  try {
    await areUp(servers, UP_MS);
    const articles = await site.demoCms.articles();
    for (const [round, isFailing] of [false, true].entries())
      await look(report, fault, {
        redis,
        site,
        servers,
        alone,
        isFailing,
        cold: articles[round + 1] ?? '',
        short,
      });
  } finally {
    command.disconnect();
    redis.server.resume();
    await terminate(second);
    await terminate(alone);
    await site.close();
    proxy.close();
    await redis.server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

interface Look {
  redis: SpoiledRedis;
  site: DrillSite;
  servers: readonly ServerProcess[];
  /** An instance without Redis: what slows it, Redis does not. */
  alone: ServerProcess;
  isFailing: boolean;
  /** Path of an article that nobody has read. */
  cold: string;
  /** Other work runs beside it, so that a p99 means nothing. */
  short: boolean;
}

async function look(report: Report, fault: RedisFault, options: Look): Promise<void> {
  const { redis, site, servers, alone, isFailing, cold, short } = options;
  const { demoCms } = site;
  const { spoil, mend } = SPOILINGS[fault];
  const name = `${fault}-${isFailing ? 'failing' : 'healthy'}`.toLowerCase();
  const when = isFailing ? 'upstream failing' : 'upstream healthy';
  const rounds = short ? SHORT_ROUNDS : ROUNDS;
  const all = [...servers, alone];
  await readWarm(all, short ? 1 : WARM_UP_ROUNDS);
  if (isFailing) await demoCms.faults([{ path: '/api/contact/add', kind: 'status', status: 503 }]);
  const began = performance.now();
  const [[before], waited] = await Promise.all([readWarm(all, rounds), post(all, `${name}-before`)]);
  await spoil(redis);
  const [reads, posted, first] = await Promise.all([
    readWarm(all, rounds),
    post(all, `${name}-during`),
    request((servers[1]?.origin ?? '') + cold),
  ]);
  let [during, beside] = reads;
  const limit = () => Math.max(LEAST_P99_MS, MAX_P99_RATIO * Math.max(before.p99, beside.p99));
  for (let repeat = 0; !short && repeat < MAX_REPEATS && during.p99 > limit(); repeat++)
    [during, beside] = await readWarm(all, rounds);
  if (isFailing) {
    const failingMs = short ? SHORT_FAILING_MS : FAILING_MS;
    await pause(Math.max(0, began + failingMs - performance.now()));
    await demoCms.faults([]);
  }
  await mend(redis);
  const recovered = await areUp(servers, RECOVERY_MS + SLACK_MS);

  const [p99Before, p99, p99Beside] = [before, during, beside].map(({ p99 }) => p99.toFixed(1));
  const seenReads = `${when}: p99 ${p99Before} ms before, ${p99} ms, ${p99Beside} ms without Redis; ${during.failed} failed`;
  report.seen(fault, 'warm page', seenReads, during.failed === 0 && (short || during.p99 <= limit()));
  const seen = `${first.status} after ${milliseconds(first.ms)}`;
  report.seen(fault, 'cold page', seen, first.status === 200 && first.ms < IMMEDIATE_MS + SLACK_MS);

  const mayBeLost = fault === 'redisEmpty' && isFailing ? waited : [];
  const sent = [...waited, ...posted].filter((one) => !mayBeLost.includes(one));
  const lost = async () => {
    const arrived = new Set(await demoCms.received('contact'));
    return sent.filter(({ email }) => !arrived.has(email)).length;
  };
  const isWhole = await eventually(async () => (await lost()) === 0, ARRIVAL_MS);
  const arrived = (await demoCms.received('contact')).filter((email) => email.startsWith(name));
  // The demo CMS stores one message for each idempotency key.
  const twice = arrived.length - new Set(arrived).size;
  const statuses = [...new Set(posted.map(({ status }) => status))];
  const longest = Math.max(...posted.map(({ ms }) => ms));
  const text = `${when}: ${statuses.join(', ')} within ${milliseconds(longest)}, ${await lost()} of ${sent.length} lost, ${twice} under two keys`;
  // 502 with a healthy upstream: the machine was too busy for it to respond in time.
  const isHonest = statuses.every((status) => status === 502 || (status === 201 && !isFailing));
  const isOk = isWhole && twice === 0 && isHonest && longest <= POST_MS + SLACK_MS;
  report.seen(fault, 'form post', text, isOk);
  report.seen(
    fault,
    'process',
    recovered === null ? 'not used again' : milliseconds(recovered),
    recovered !== null,
  );
}

interface Reads {
  p99: number;
  failed: number;
}

/**
 * Reads warm pages of all instances in turn. Resolves to those of the first two, which use Redis, and of the last, which
 * does not. The p99 is that of the best round: what Redis delays, it delays in each, and a busy machine only in some.
 */
async function readWarm(servers: readonly ServerProcess[], rounds: number): Promise<[Reads, Reads]> {
  const paths = ['/', '/topic/news', '/events'];
  const p99s: { shared: number[]; alone: number[] } = { shared: [], alone: [] };
  const failed = { shared: 0, alone: 0 };
  for (let round = 0; round < rounds; round++) {
    const times: { shared: number[]; alone: number[] } = { shared: [], alone: [] };
    for (let read = 0; read < READS_A_ROUND; read++)
      for (const [index, { origin }] of servers.entries()) {
        const group = index === servers.length - 1 ? 'alone' : 'shared';
        const { status, ms } = await request(origin + paths[read % paths.length]);
        if (status !== 200) failed[group]++;
        times[group].push(ms);
      }
    for (const group of ['shared', 'alone'] as const) p99s[group].push(p99Of(times[group]));
  }
  return [
    { p99: Math.min(...p99s.shared), failed: failed.shared },
    { p99: Math.min(...p99s.alone), failed: failed.alone },
  ];
}

function p99Of(times: number[]): number {
  return times.sort((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? 0;
}

/** Posts contact messages to all instances, one after another begun. */
function post(servers: readonly ServerProcess[], name: string) {
  const sent = servers.flatMap(({ origin }, server) =>
    Array.from({ length: POSTS }, async (_, index) => {
      await pause(index * POST_INTERVAL_MS);
      const email = `${name}-${server}-${index}@example.com`;
      const fields = { firstName: 'Ada', lastName: 'Quill', phone: '+1 202-555-0142', optIn: true };
      const { status, ms } = await request(`${origin}/api/contact-messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...fields, email, message: 'A drill' }),
      });
      return { email, status, ms };
    }),
  );
  return Promise.all(sent);
}

/** Resolves with how long it took until all instances use Redis (ms), or with null. */
async function areUp(servers: readonly ServerProcess[], ms: number): Promise<number | null> {
  const began = performance.now();
  const isUp = async ({ ops }: ServerProcess) =>
    (await (await fetch(`${ops}/metrics`)).text()).includes('\nredis_up 1');
  const all = async () => (await Promise.all(servers.map(isUp))).every(Boolean);
  return (await eventually(all, ms)) ? performance.now() - began : null;
}

/** Starts another instance on the same upstream, with a disk of its own. */
function startBeside(
  { demoCms: { origin }, dir }: DrillSite,
  name: string,
  env: Record<string, string>,
): Promise<ServerProcess> {
  return startServer({
    env: {
      API_HOST: origin,
      IMAGE_HOST: `${origin}/media`,
      IP_LOOKUP_URL: `${origin}/lookup?format=json`,
      UPSTREAM_TIMEOUT_MS: String(DEADLINE_MS),
      DATA_DIR: join(dir, '..', name),
      ...env,
    },
  });
}

/** From the start on, every reply is nonsense. */
async function lies(report: Report): Promise<void> {
  const liar = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(':42\r\n$7\r\nnothing\r\n*-9\r\nwhat?\r\n'));
  }).listen(0, '127.0.0.1');
  await once(liar, 'listening');
  const address = liar.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const site = await startDrillSite({ ...LONG_TIMEOUT, REDIS_URL: `redis://127.0.0.1:${port}` });
  try {
    const [hot = '', cold = ''] = await site.demoCms.articles();
    await site.warmUp([hot]);
    for (const [column, path] of [
      ['warm page', hot],
      ['cold page', cold],
    ] as const) {
      const { status, ms } = await site.get(path);
      const seen = `${status} after ${milliseconds(ms)}`;
      report.seen('redisLies', column, seen, status === 200 && ms < IMMEDIATE_MS + SLACK_MS);
    }
    const email = 'redis-lies@example.com';
    const { status } = await site.contact(email);
    const arrived = (await site.demoCms.received('contact')).filter((one) => one === email);
    const text = `${status}, arrived ${arrived.length} times`;
    report.seen('redisLies', 'form post', text, status === 201 && arrived.length === 1);
  } finally {
    await site.close();
    liar.close();
  }
}

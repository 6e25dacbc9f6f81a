import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seeded } from '../seeded.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

const LONG_MS = 600_000;
const INSTANCES = 3;
/** Between two looks. */
const POLL_MS = 20;

let redisDir: string;
let redis: RedisServer;
let upstream: Server;
/** Idempotency keys that arrived, by sender. */
let arrived: Map<string, string[]>;
let fails: () => boolean;
let instances: Instance[];

beforeEach(async () => {
  redisDir = mkdtempSync(join(tmpdir(), 'redis-'));
  arrived = new Map();
  fails = () => false;
  instances = [];
  upstream = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (fails()) return void response.writeHead(503).end();
    const { email } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    arrived.set(email, [...(arrived.get(email) ?? []), String(request.headers['idempotency-key'])]);
    response.writeHead(201).end();
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
});

afterEach(async () => {
  await Promise.all(instances.map((instance) => instance.kill()));
  upstream.closeAllConnections();
  upstream.close();
  await redis.stop();
  rmSync(redisDir, { recursive: true, force: true });
});

type Instance = Awaited<ReturnType<typeof startInstance>>;

/** Starts an instance with a process and a disk of its own. */
async function startInstance() {
  const dir = mkdtempSync(join(tmpdir(), 'outbox-kill-'));
  const address = upstream.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const script = join(import.meta.dirname, 'outbox-instance.ts');
  const child: ChildProcess = fork(script, [redis.url, dir, `http://127.0.0.1:${port}/`]);
  const ended = once(child, 'exit');
  const calls = new Map<number, (told: string | null) => void>();
  child.on('message', ({ n, told }: { n?: number; told?: string }) => {
    if (n === undefined) return;
    calls.get(n)?.(told ?? null);
    calls.delete(n);
  });
  await once(child, 'message');

  return {
    /** Resolves with the outcome told to the reader; null if the instance died first. */
    submit(n: number): Promise<string | null> {
      return new Promise((resolve) => {
        calls.set(n, resolve);
        child.send({ n }, (error) => error && resolve(null));
      });
    },
    /** Resolves when its own disk holds no message any more. */
    async diskIsEmpty(): Promise<void> {
      for (let here = 1, isUp = false; here > 0 || !isUp; await pause(POLL_MS)) {
        child.send({ n: null });
        const status = await new Promise<{ here?: number; isUp?: boolean }>((resolve) =>
          child.once('message', resolve),
        );
        ({ here = 1, isUp = false } = status);
      }
    },
    /** Kills it and removes its disk. */
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
      for (const tell of calls.values()) tell(null);
      calls.clear();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Sends `count` different submissions from concurrent readers, each again if its instance dies, until all are acknowledged. */
async function post(count: number, readers: number, random: () => number): Promise<void> {
  let sent = 0;
  await Promise.all(
    Array.from({ length: readers }, async () => {
      while (sent < count) {
        const n = sent++;
        let told: string | null = null;
        while (told === null || told === 'lost')
          told = (await instances[Math.floor(random() * instances.length)]?.submit(n)) ?? null;
      }
    }),
  );
}

async function replace(at: number): Promise<void> {
  await instances[at]?.kill();
  instances[at] = await startInstance();
}

const emails = (count: number) => Array.from({ length: count }, (_, n) => `reader-${n}@example.com`);
const missing = (count: number) => emails(count).filter((email) => !arrived.has(email));

async function allArrive(count: number): Promise<void> {
  await vi.waitFor(() => expect(missing(count)).toEqual([]), { timeout: 120_000, interval: 100 });
}

it(
  '10,000 submissions through three randomly killed instances arrive, less than one in a thousand twice',
  async () => {
    const [count, readers, kills] = [10_000, 3, 3];
    const random = seeded(7);
    redis = await startRedis();
    for (let at = 0; at < INSTANCES; at++) instances.push(await startInstance());
    const posting = post(count, readers, random);
    for (let kill = 1; kill <= kills; kill++) {
      await vi.waitFor(() => expect(arrived.size).toBeGreaterThan((kill * count) / (kills + 1)), {
        timeout: 300_000,
        interval: 20,
      });
      await replace(Math.floor(random() * INSTANCES));
    }
    await posting;
    await allArrive(count);
    // An attempt in flight when its instance died is repeated, under its idempotency key: at most one a kill and reader.
    const keys = [...arrived.values()];
    expect(keys.filter((own) => new Set(own).size > 1)).toEqual([]);
    expect(keys.filter((own) => own.length > 1).length).toBeLessThan(count / 1_000);
  },
  LONG_MS,
);

it(
  'instances and Redis killed alternately lose nothing that was acknowledged',
  async () => {
    const count = 400;
    const random = seeded(11);
    redis = await startRedis(undefined, redisDir);
    const port = Number(new URL(redis.url).port);
    for (let at = 0; at < INSTANCES; at++) instances.push(await startInstance());
    fails = () => random() < 0.05;
    const posting = post(count, 3, random);
    for (let round = 0; round < 4; round++) {
      await redis.stop();
      await pause(200);
      redis = await startRedis(port, redisDir);
      await Promise.all(instances.map((instance) => instance.diskIsEmpty()));
      await replace(round % INSTANCES);
    }
    await posting;
    fails = () => false;
    await allArrive(count);
  },
  LONG_MS,
);

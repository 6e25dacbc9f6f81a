import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProcess } from '../../faults/processes/server-process.ts';
import { freePort } from '../../free-port.ts';
import { START_COMMAND } from '../../start-flags.ts';

let dir: string;
/** The first start fills the compile cache, a later one uses it. */
let first: Started;
let later: Started;

interface Started {
  code: number | null;
  log: string;
}

const CACHED_FILES = ['dist/server/main.js', 'dist/server/entry-server.js', 'dist/server/render-worker.js'];
const isFromCache = (file: string, { log }: Started) =>
  new RegExp(`V8 code cache for \\w+ \\S*${file} was accepted`).test(log);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'start-'));
  first = await startOnce();
  // On a busy machine one that ends at once may end its render thread before that has loaded its code.
  for (let starts = 0; starts < 5; starts++) {
    later = await startOnce();
    if (CACHED_FILES.every((file) => isFromCache(file, later))) break;
  }
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const NO_UPSTREAM = { API_HOST: 'http://127.0.0.1:9', IMAGE_HOST: 'http://127.0.0.1:9' };

/** Runs `npm start -- --once`. Node's debug output tells how it uses its compile cache. */
async function startOnce(env: Record<string, string> = NO_UPSTREAM, dataDir = dir): Promise<Started> {
  const started = startProcess([...START_COMMAND, '--once'], {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    OPS_PORT: '0',
    LOG_LEVEL: 'info',
    DRAIN_MS: '0',
    SHUTDOWN_GRACE_MS: '30000',
    NODE_COMPILE_CACHE: join(dir, 'compile-cache'),
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    ...env,
  });
  const code = await started.ended;
  return { code, log: started.log.join('\n') };
}

it('becomes ready without an upstream, and ends at once with --once', () => {
  for (const { code, log } of [first, later]) {
    expect({ code, isReady: log.includes('"msg":"ready"') }).toEqual({ code: 0, isReady: true });
  }
});

it.runIf(process.platform === 'linux').each([
  ['the demo CMS', {}],
  ['WordPress', { WORDPRESS_URL: 'http://127.0.0.1:9' }],
])('ends with one line before %s where DATA_DIR cannot be made', async (_, upstream) => {
  const { code, log } = await startOnce(upstream, '/proc/none');
  expect(code).toBe(1);
  expect(log.split('\n').filter((line) => line.includes('ENOENT'))).toHaveLength(1);
  expect(log).not.toContain('"stack"');
});

it.each(['PORT', 'OPS_PORT'])(
  'says in one line that %s is taken, before readers connect',
  async (variable) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const { code, log } = await startOnce({
      ...NO_UPSTREAM,
      [variable]: String(typeof address === 'object' ? address?.port : address),
    });
    taken.close();
    expect(code).toBe(1);
    expect(log).toContain('the server could not start: listen EADDRINUSE');
    expect(log).not.toContain('"msg":"ready"');
    expect(log).not.toContain('"stack"');
  },
);

it.each(CACHED_FILES)('takes %s from the compile cache that an earlier start has left', (file) => {
  expect(isFromCache(file, first)).toBe(false);
  expect(isFromCache(file, later)).toBe(true);
});

it.each([
  ['an upstream', NO_UPSTREAM],
  ['the demo CMS', {}],
])('with %s it loads the bundles, no source and no package', async (_name, upstream) => {
  const { log, code } = await startOnce(upstream);
  expect(code).toBe(0);
  const loaded = [...log.matchAll(/code cache for \w+ (\S+)/g)].map(([, file = '']) => file);
  expect(loaded.length).toBeGreaterThan(5);
  const bundled = /\/(dist\/server|server|tools)\/[^/]+\.js$/;
  expect(loaded.filter((file) => !bundled.test(file))).toEqual([]);
  // No traces are asked for, and the main thread does not render.
  expect(loaded.filter((file) => file.includes('opentelemetry'))).toEqual([]);
  expect(loaded.filter((file) => file.includes('react-renderer'))).toEqual([]);
});

it('renders every template without the code of fetch, which takes 15 MB and 25 ms', async () => {
  const preload = join(dir, 'preload.cjs');
  const print = "process.on('exit', () => console.log(process.moduleLoadList.join('\\n')))";
  await writeFile(preload, print);
  const { log, code } = await startOnce({ ...NO_UPSTREAM, NODE_OPTIONS: `--require=${preload}` });
  expect(code).toBe(0);
  expect(log).toContain('NativeModule http\n');
  expect(log).not.toContain('internal/deps/undici');
});

it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 at %s while it starts', async (signal) => {
  // The start waits half a second for a Redis that does not reply.
  const redis = createServer().listen(0, '127.0.0.1');
  const connected = once(redis, 'connection');
  await once(redis, 'listening');
  const address = redis.address();
  const started = startProcess([...START_COMMAND], {
    ...NO_UPSTREAM,
    DATA_DIR: dir,
    PORT: String(await freePort()),
    OPS_PORT: '0',
    DRAIN_MS: '0',
    SHUTDOWN_GRACE_MS: '30000',
    REDIS_URL: `redis://127.0.0.1:${typeof address === 'object' ? address?.port : address}`,
  });
  const [socket] = await connected;
  started.kill(signal);
  expect(await started.ended).toBe(0);
  socket.destroy();
  redis.close();
});

it.runIf(process.platform === 'linux')('serves, and ends with 0, with its log on a full disk', async () => {
  const full = await open('/dev/full', 'a');
  const server = spawn(process.execPath, [...START_COMMAND, '--once'], {
    env: {
      ...process.env,
      ...NO_UPSTREAM,
      DATA_DIR: dir,
      PORT: String(await freePort()),
      OPS_PORT: '0',
      DRAIN_MS: '0',
      SHUTDOWN_GRACE_MS: '30000',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', full.fd, 'inherit'],
  });
  expect(await once(server, 'exit')).toEqual([0, null]);
  await full.close();
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endGroup, endWithThisProcess } from '../../child-processes.ts';
import { type ServerProcess, startServer } from '../../faults/processes/server-process.ts';
import { freePort } from '../../free-port.ts';
import { inTurn } from '../../matrix.ts';

const DRAIN_MS = 3_000;
/** Between two looks. */
const POLL_MS = 20;

let dir: string;
let server: ServerProcess;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'drain-'));
  server = await startServer({ env: { DATA_DIR: dir, DRAIN_MS: String(DRAIN_MS) } });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

it('after SIGTERM readiness responds 503, and requests are served, for DRAIN_MS; then the process ends with 0', async () => {
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  // A cached page is not shed, however busy the machine is.
  await expect.poll(async () => (await fetch(`${server.origin}/about`)).status).toBe(200);
  const began = performance.now();
  server.kill('SIGTERM');
  const seen: { ready: number; page: number }[] = [];
  for (;;) {
    const [ready, page] = await Promise.all(
      ['/readyz', '/about'].map((path) =>
        fetch(server.origin + path).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    if (ready === 0 || page === 0) break;
    seen.push({ ready: ready ?? 0, page: page ?? 0 });
    await pause(POLL_MS);
  }
  // The first request that got no response: not before the drain was over.
  expect(performance.now() - began).toBeGreaterThanOrEqual(DRAIN_MS);
  expect(seen.every(({ page }) => page === 200)).toBe(true);
  const readiness = seen.map(({ ready }) => ready);
  expect(readiness).toContain(503);
  expect(new Set(readiness.slice(readiness.indexOf(503)))).toEqual(new Set([503]));
  expect(await server.ended).toBe(0);
});

it('a connection without a request does not use up a short SHUTDOWN_GRACE_MS', async () => {
  // Half of the time is the drain, and the other half what cutting the connection would take.
  const own = await startServer({ env: { DATA_DIR: dir, DRAIN_MS: '15000', SHUTDOWN_GRACE_MS: '30000' } });
  const socket = connect(Number(new URL(own.origin).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  own.kill('SIGTERM');
  expect(await own.ended).toBe(0);
  socket.destroy();
});

it('a grace period of a few milliseconds ends with 0', async () => {
  const own = await startServer({
    env: { DATA_DIR: join(dir, 'short'), DRAIN_MS: '0', SHUTDOWN_GRACE_MS: '10' },
  });
  own.kill('SIGTERM');
  expect(await own.ended).toBe(0);
});

it('a form post that waits for the upstream gets its response also where SHUTDOWN_GRACE_MS is shorter than that takes', async () => {
  const posted = Promise.withResolvers<void>();
  const port = await freePort();
  const upstream = createServer(({ method }) => method === 'POST' && posted.resolve());
  await once(upstream.listen(port, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${port}`;
  const own = await startServer({
    env: {
      DATA_DIR: join(dir, 'form'),
      UPSTREAM_TIMEOUT_MS: '60000',
      SHUTDOWN_GRACE_MS: '15000',
      API_HOST: origin,
      IMAGE_HOST: origin,
    },
  });
  const response = fetch(`${own.origin}/api/subscriptions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com' }),
  });
  await posted.promise;
  own.kill('SIGTERM');
  expect((await response).status).toBe(502);
  expect(await own.ended).toBe(0);
  upstream.closeAllConnections();
  upstream.close();
});

const TARGETS = ['npm alone', 'the whole process group'] as const;

it.each(
  (['SIGTERM', 'SIGINT'] as const).flatMap((signal, index) =>
    inTurn(TARGETS, index).map((target) => [signal, target] as const),
  ),
)('%s to %s stops the server of npm start gracefully, and both end with 0', async (signal, target) => {
  const env = {
    API_HOST: 'http://127.0.0.1:9',
    IMAGE_HOST: 'http://127.0.0.1:9',
    DATA_DIR: join(dir, signal, target),
    PORT: String(await freePort()),
    OPS_PORT: '0',
    // npm passes the signal on meanwhile.
    DRAIN_MS: '1000',
    SHUTDOWN_GRACE_MS: '30000',
    npm_config_update_notifier: 'false',
  };
  const npm = endWithThisProcess(
    spawn('npm', ['start'], {
      cwd: join(import.meta.dirname, '../../..'),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    }),
    endGroup,
  );
  try {
    createInterface({ input: npm.stdout }).on('line', (line) => {
      const isAlone = target === 'npm alone';
      if (line.includes('"msg":"ready"') && npm.pid) process.kill(isAlone ? npm.pid : -npm.pid, signal);
    });
    expect(await once(npm, 'exit')).toEqual([0, null]);
  } finally {
    endGroup(npm);
  }
});

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServerProcess, startServer } from '../../faults/processes/server-process.ts';

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
  const own = await startServer({ env: { DATA_DIR: dir, DRAIN_MS: '5000', SHUTDOWN_GRACE_MS: '10000' } });
  const socket = connect(Number(new URL(own.origin).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  own.kill('SIGTERM');
  expect(await own.ended).toBe(0);
  socket.destroy();
});

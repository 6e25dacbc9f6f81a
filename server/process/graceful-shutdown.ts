import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { after, pause, withTimeout } from '#server/time.ts';

const POLL_MS = 20;
/** A turn of the event loop this short has hardly accepted a connection. */
const QUIET_TURN_MS = 1;

/**
 * Drains a server without cutting a request. For `ms` all requests are served, with `connection: close`, so that load
 * balancers that poll readiness see its 503; then connections that wait are accepted, for at most `idleMs`, then no more,
 * and those that stay open without a request have as long again. Closes no idle connection: a request may just be being
 * sent on it.
 */
export async function drainConnections(server: Server, ms: number, idleMs: number): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  await pause(ms);
  await acceptBacklog(server, idleMs);
  // The `close` of an HTTP server would close idle connections as well.
  NetServer.prototype.close.call(server);
  await withoutConnections(server, idleMs);
}

/**
 * Waits until the backlog is empty: for a short turn of the event loop that accepts no connection. The system resets
 * connections that were not accepted when a server stops listening, and Node accepts one in each turn.
 */
async function acceptBacklog(server: Server, ms: number): Promise<void> {
  let accepted = 0;
  const count = () => void accepted++;
  server.on('connection', count);
  const until = performance.now() + ms;
  let isQuiet = false;
  while (!isQuiet && performance.now() < until) {
    const before = { accepted, at: performance.now() };
    await turn();
    isQuiet = accepted === before.accepted && performance.now() - before.at < QUIET_TURN_MS;
  }
  server.off('connection', count);
}

/** Closes an app: accepts no more connections and waits for pending requests, but cuts those that take longer than `ms`. */
export async function closeWithin(app: FastifyInstance, ms: number): Promise<void> {
  const cut = after(ms, () => app.server.closeAllConnections());
  await app.close().finally(() => clearTimeout(cut));
}

async function withoutConnections(server: Server, ms: number): Promise<void> {
  const until = performance.now() + ms;
  const connections = promisify(server.getConnections.bind(server));
  while (performance.now() < until && (await connections()) > 0) await pause(POLL_MS);
}

/** One step of a shutdown. `share`: of the grace period, from 0 to 1; kept for the step whatever those before it take. */
export interface ShutdownStep {
  name: string;
  share: number;
  /** `ms`: what the step may take: its share, and what those before it left of theirs. */
  run: (ms: number) => unknown;
}

/** Runs steps in order within the grace period. One that throws or takes too long is logged, and stops no other. Never rejects. */
export async function runShutdownSteps(
  steps: readonly ShutdownStep[],
  graceMs: number,
  logger: { warn(about: object, message: string): void },
): Promise<void> {
  const startedAt = performance.now();
  let shares = 0;
  for (const { name, share, run } of steps) {
    shares += share;
    const ms = Math.max(0, graceMs * shares - (performance.now() - startedAt));
    const done = (async () => run(ms))().then(() => true);
    try {
      if ((await withTimeout(ms, done)) === null) throw new Error(`it takes more than ${Math.round(ms)} ms`);
    } catch (err) {
      logger.warn({ err, step: name }, 'a step of the shutdown failed');
    }
  }
}

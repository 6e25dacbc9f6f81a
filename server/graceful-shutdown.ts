import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 20;
/** A turn of the event loop in which hardly anything can have come in. */
const QUIET_TURN_MS = 1;

/**
 * Ends the connections of a server without cutting a request: closing one that merely looks idle would cut a request
 * that is just being sent on it. For `ms` everything is answered, and every answer sends its connection away; then no
 * more connections are taken, and those that are left have as long again. Ends early when none is left.
 */
export async function drainConnections(server: Server, ms: number): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  await withoutConnections(server, ms);
  await acceptWaiting(server, ms);
  // An HTTP server's own `close` would close what looks idle as well.
  NetServer.prototype.close.call(server);
  await withoutConnections(server, ms);
}

/**
 * The system resets the connections that a server has not accepted when it stops listening, and Node accepts one in
 * each turn of the loop: waits for a short turn that finds none.
 */
async function acceptWaiting(server: Server, ms: number): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted++;
  };
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

/** Takes no more connections and waits for the requests under way; cuts those that take longer than `ms`. */
export async function closeWithin(app: FastifyInstance, ms: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), ms);
  await app.close().finally(() => clearTimeout(cut));
}

async function withoutConnections(server: Server, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until && (await connectionsOf(server)) > 0) await pause(LOOK_EVERY_MS);
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

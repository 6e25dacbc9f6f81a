import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 20;

/**
 * Goes on answering for at most `ms`, while every answer sends its connection away: closing a connection that merely
 * looks idle would cut a request that is just being sent on it. Ends early when no connection is left.
 */
export async function drain(server: Server, ms: number): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  const until = performance.now() + ms;
  while (performance.now() < until && (await connectionsOf(server)) > 0) await pause(LOOK_EVERY_MS);
}

/** Takes no more connections and waits for the requests under way; cuts those that take longer than `ms`. */
export async function closeWithin(app: FastifyInstance, ms: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), ms);
  await app.close().finally(() => clearTimeout(cut));
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;

/** Silent connections are looked through when there are more than this, and then when they have doubled. */
const MANY_SILENT = 64;

/**
 * While an app closes, ends every connection that has nothing under way. Node ends only those that are idle at the
 * first moment: one whose answer was still being sent stays open for the next request, and one that never said a word,
 * as browsers open ahead of need, counts as busy. Each would hold up a stop until its timeout.
 */
export function closeIdleConnections(app: FastifyInstance): void {
  const silent = createSilentSockets();
  app.server.on('connection', silent.add);
  app.server.on('request', ({ socket }) => silent.delete(socket));

  function sweep(): void {
    app.server.closeIdleConnections();
    silent.end();
  }

  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const sweeping = setInterval(sweep, SWEEP_MS);
    app.server.once('close', () => clearInterval(sweeping));
  });
}

/**
 * Connections on which nothing was asked yet. No listener tells when one of them closes: Node puts its own listener for
 * that on and off at each request, and beside another one that kept every request until the next full collection, which
 * cost a third of the throughput. So those that have closed are left out now and then.
 */
function createSilentSockets() {
  const sockets = new Set<Socket>();
  let many = MANY_SILENT;

  function leaveOutClosed(): void {
    for (const socket of sockets) if (socket.destroyed) sockets.delete(socket);
    many = Math.max(MANY_SILENT, sockets.size * 2);
  }

  return {
    add(socket: Socket): void {
      sockets.add(socket);
      if (sockets.size > many) leaveOutClosed();
    },
    delete: (socket: Socket) => sockets.delete(socket),
    end(): void {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

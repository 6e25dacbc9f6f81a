import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

const SWEEP_MS = 50;

/** Closed sockets are removed from the set when it is larger than this, and then whenever it has doubled. */
const MIN_CLEANUP_SIZE = 64;

/**
 * Ends every idle connection while the app closes. Node ends only those that are idle when closing begins: one whose
 * response was still being sent stays open for the next request, and one without any request yet, as browsers open
 * ahead of need, counts as busy. Each would delay the shutdown until its timeout.
 */
export const closeIdleConnections = fp(
  async (app: FastifyInstance): Promise<void> => {
    const unused = createUnusedSockets();
    app.server.on('connection', unused.add);
    app.server.on('request', ({ socket }) => unused.delete(socket));

    function sweep(): void {
      app.server.closeIdleConnections();
      unused.destroy();
    }

    app.addHook('preClose', async () => {
      if (!app.server.listening) return;
      const sweeping = setInterval(sweep, SWEEP_MS);
      app.server.once('close', () => clearInterval(sweeping));
    });
  },
  { name: 'close-idle-connections' },
);

/**
 * Holds the connections without a request so far. They have no `close` listener: Node adds and removes its own for each
 * request, and a second listener beside it kept every request alive until the next full garbage collection, which cost
 * a third of the throughput. So closed sockets are removed from time to time.
 */
function createUnusedSockets() {
  const sockets = new Set<Socket>();
  let cleanupSize = MIN_CLEANUP_SIZE;

  function removeClosed(): void {
    for (const socket of sockets) if (socket.destroyed) sockets.delete(socket);
    cleanupSize = Math.max(MIN_CLEANUP_SIZE, sockets.size * 2);
  }

  return {
    add(socket: Socket): void {
      sockets.add(socket);
      if (sockets.size > cleanupSize) removeClosed();
    },
    delete: (socket: Socket) => sockets.delete(socket),
    destroy(): void {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

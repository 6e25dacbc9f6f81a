import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;

/**
 * While an app closes, ends every connection that has nothing under way. Node ends only those that are idle at the
 * first moment: one whose answer was still being sent stays open for the next request, and one that never said a word,
 * as browsers open ahead of need, counts as busy. Each would hold up a stop until its timeout.
 */
export function endIdleConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });

  function sweep(): void {
    app.server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  }

  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const sweeping = setInterval(sweep, SWEEP_MS);
    app.server.once('close', () => clearInterval(sweeping));
  });
}

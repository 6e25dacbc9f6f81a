import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/** The middlewares of Vite's dev server. Not its own type, because production does not install Vite. */
export type ViteMiddlewares = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** In development, lets Vite respond first: it serves the client's sources with hot reload. */
export const viteClient = fp(
  async (
    app: FastifyInstance,
    { viteMiddlewares }: { viteMiddlewares: ViteMiddlewares | null },
  ): Promise<void> => {
    if (viteMiddlewares === null) return;
    app.addHook('onRequest', (request, reply, done) => viteMiddlewares(request.raw, reply.raw, () => done()));
  },
  { name: 'vite-client' },
);

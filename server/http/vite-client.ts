import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { ViteMiddlewares } from '#server/render/page-source.ts';

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

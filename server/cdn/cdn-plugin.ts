import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Cdn } from './cdn.ts';

/** Sets the CDN's directive on each response that Fastify sends itself: that of files and images, `no-store` on others. */
export const cdnHeaders = fp(
  async (app: FastifyInstance, { cdn }: { cdn: Pick<Cdn, 'headers'> | null }): Promise<void> => {
    if (cdn === null) return;
    app.addHook('onSend', (request, reply, payload, done) => {
      const cacheControl = String(reply.getHeader('cache-control') ?? '');
      reply.headers(cdn.headers.ofFile(request.method, reply.statusCode, cacheControl));
      done(null, payload);
    });
  },
  { name: 'cdn-headers' },
);

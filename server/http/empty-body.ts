import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/**
 * Gives Fastify's parsers a stream that ends for a request with a media type but no body at all, neither a length nor
 * chunks. Node's `optimizeEmptyRequests` has ended the request's own stream before, and they would wait for its end.
 */
export const emptyBody = fp(
  async (app: FastifyInstance): Promise<void> => {
    app.addHook('preParsing', ({ headers, raw }, _reply, payload, done) => {
      const hasEnded = headers['content-type'] !== undefined && raw.readableEnded;
      done(null, hasEnded ? Readable.from([]) : payload);
    });
  },
  { name: 'empty-body' },
);

import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { PreconditionFailed } from '#server/errors.ts';
import { evaluatePreconditions } from '#server/http/response/send-response.ts';

/** Adds the route of a text that hardly ever changes: fresh for an hour, with a strong ETag and 304. */
export function addTextRoute(app: FastifyInstance, path: string, type: string, text: () => string): void {
  app.route({
    // Fastify's own HEAD route would add a length to a 304.
    method: ['GET', 'HEAD'],
    url: path,
    handler(request, reply) {
      const body = text();
      const etag = `"${hash('sha1', body, 'base64url')}"`;
      reply.headers({ 'cache-control': 'public, max-age=3600', etag });
      const precondition = evaluatePreconditions(request.headers, etag);
      if (precondition === 412) throw new PreconditionFailed();
      if (precondition === 304) return reply.code(304).send();
      return reply.type(type).send(body);
    },
  });
}

import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { routeOf } from '#server/http/on-response.ts';
import type { PageTemplates } from '#server/render/page-templates.ts';
import type { Tracing } from './tracing.ts';

export interface RequestSpansOptions {
  tracing: Pick<Tracing, 'isEnabled' | 'startRequest' | 'spanOf'>;
  pageTemplates: Pick<PageTemplates, 'templateOf'>;
}

/** A span for each request that Fastify routes; the front cache records those of its own. */
export const requestSpans = fp(
  async (app: FastifyInstance, { tracing, pageTemplates }: RequestSpansOptions): Promise<void> => {
    if (!tracing.isEnabled) return;
    app.addHook('onRequest', (request, reply, done) => {
      const span = tracing.startRequest(request.raw);
      // Not `onResponse`, which does not come where the client disconnects.
      reply.raw.once('close', () => span.end(routeOf(request, pageTemplates), reply.raw.statusCode));
      span.run(done);
    });
    // Reading a body leaves the context of the hook before.
    app.addHook('preValidation', (request, _reply, done) => {
      const span = tracing.spanOf(request.raw);
      if (span) span.run(done);
      else done();
    });
  },
  { name: 'request-spans' },
);

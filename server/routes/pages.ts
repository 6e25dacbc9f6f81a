import type { FastifyInstance } from 'fastify';
import type { Pages } from '#server/render/pages.ts';
import { sendAnswer } from '#server/render/send-answer.ts';
import { countsAsView } from '#server/views/counts-as-view.ts';
import type { ViewCounter } from '#server/views/view-counter.ts';

/** Every HTML page of the site. */
export function pageRoutes(app: FastifyInstance, { pages, views }: { pages: Pages; views: ViewCounter }): void {
  app.get('/*', async (request, reply) => {
    const served = await pages.serve(request.url);
    if (served.kind === 'redirect') return reply.header('cache-control', 'no-store').redirect(served.location, 302);
    const { viewOf } = served.extra;
    if (viewOf !== null) {
      reply.raw.once('finish', () => {
        const seen = { method: request.method, status: reply.statusCode, headers: request.headers };
        if (countsAsView(seen)) views.count({ postId: viewOf, ip: request.ip });
      });
    }
    return sendAnswer(request, reply, served, 'page');
  });
}

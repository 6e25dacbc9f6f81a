import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cacheStatus, serverTiming } from '#server/cache/cache-status.ts';
import type { Served } from '#server/render/answer-cache.ts';
import type { AnswerExtra, Pages } from '#server/render/pages.ts';
import type { SendAnswer } from '#server/render/send-answer.ts';
import { countsAsView } from '#server/views/counts-as-view.ts';
import type { ViewCounter } from '#server/views/view-counter.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The post whose view counts once the answer is sent. */
    viewOf: string | null;
  }
}

/** What the pages stand on. */
export interface PageRoutesDeps {
  pages: Pages;
  views: ViewCounter;
  sendAnswer: SendAnswer;
}

/** Answers a request for whatever page its target names. */
export type AnswerPage = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/** Every HTML page of the site. A warm one is answered without waiting for anything. */
export function pageRoutes(app: FastifyInstance, { pages, views, sendAnswer }: PageRoutesDeps): AnswerPage {
  const answerPage: AnswerPage = (request, reply) => {
    if (request.url.startsWith('/events/')) views.prepare(request.ip);
    const warm = pages.standing(request.url);
    return warm
      ? send(request, reply, warm)
      : pages.serve(request.url).then((served) => send(request, reply, served));
  };
  app.decorateRequest('viewOf', null);
  app.addHook('onResponse', (request, reply, done) => {
    if (request.viewOf !== null) countView(request, reply, request.viewOf);
    done();
  });
  app.get('/*', answerPage);

  function send(request: FastifyRequest, reply: FastifyReply, served: Served<AnswerExtra>): FastifyReply {
    if (served.kind === 'redirect')
      return reply
        .headers({
          'cache-control': 'no-store',
          'cache-status': cacheStatus('page', served.outcome),
          'server-timing': serverTiming('page', served.outcome),
        })
        .redirect(served.location, 302);
    const { viewOf } = served.extra;
    request.viewOf = viewOf;
    return sendAnswer(request, reply, served, 'page');
  }

  function countView(request: FastifyRequest, reply: FastifyReply, postId: string): void {
    const seen = { method: request.method, status: reply.statusCode, headers: request.headers };
    if (countsAsView(seen)) views.count({ postId, ip: request.ip });
  }

  return answerPage;
}

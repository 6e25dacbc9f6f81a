import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cacheStatus, serverTiming } from '#server/cache/cache-status.ts';
import { redirectToCanonical } from '#server/http/canonical-redirect.ts';
import { PAGES_ROUTE } from '#server/ops/metrics/route-label.ts';
import type { Pages } from '#server/render/pages.ts';
import type { SendResponse } from '#server/render/send-response.ts';
import type { ViewCounter } from '#server/views/view-counter.ts';

/** What the pages stand on. */
export interface PageRoutesDeps {
  pages: Pages;
  views: Pick<ViewCounter, 'beforePage' | 'afterPage'>;
  sendResponse: SendResponse;
}

/** Answers a request for whatever page its target names. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Every HTML page of the site, but for cached responses that are served before Fastify sees the request. */
export function pageRoutes(app: FastifyInstance, { pages, views, sendResponse }: PageRoutesDeps): SendPage {
  const sendPage: SendPage = async (request, reply) => {
    const { method, url, headers, ip } = request;
    views.beforePage(url, ip);
    const served = await pages.serve(url);
    if (served.kind === 'respelled') return redirectToCanonical(reply, served.location);
    if (served.kind === 'redirect')
      return reply
        .headers({
          'cache-control': 'no-store',
          'cache-status': cacheStatus('page', served.outcome),
          'server-timing': serverTiming('page', served.outcome),
        })
        .redirect(served.location, 302);
    const { viewOf } = served.extra;
    const { raw: response } = reply.hijack();
    response.on('finish', () =>
      views.afterPage(viewOf, { method, status: response.statusCode, headers }, ip),
    );
    sendResponse(response, request, served, 'page');
    return reply;
  };
  app.get(PAGES_ROUTE, { config: { hasResource: pages.has } }, sendPage);
  return sendPage;
}

import type { FastifyInstance } from 'fastify';
import { cacheResultOf, cacheStatus } from '#server/cache/cache-status.ts';
import { redirectToCanonical } from '#server/http/canonical-redirect.ts';
import type { Services } from '#server/service-types.ts';
import { enteredSearchTerm, searchPath } from '#shared/urls.ts';
import { PAGES_ROUTE } from './page-table.ts';

/** Every HTML page of the site. Cache hits are served by the front cache, before they get here. */
export async function pageRoutes(
  app: FastifyInstance,
  services: Pick<Services, 'clientIpOf' | 'pages' | 'views' | 'sendResponse'>,
): Promise<void> {
  const { clientIpOf, pages, views, sendResponse } = services;
  app.get(PAGES_ROUTE, { config: { hasResource: pages.has } }, async (request, reply) => {
    const { method, url, headers } = request;
    const ip = clientIpOf(request.raw);
    views.beforePage(url, ip);
    const served = await pages.serve(url).catch((error: unknown) => {
      reply.cacheResult = 'miss';
      reply.header('cache-status', 'page; fwd=miss');
      throw error;
    });
    if (served.kind === 'respelled') return redirectToCanonical(reply, served.location);
    reply.cacheResult = cacheResultOf(served.outcome);
    if (served.kind === 'redirect')
      return reply
        .headers({ 'cache-control': 'no-store', 'cache-status': cacheStatus('page', served.outcome) })
        .redirect(served.location, served.status);
    const { viewOf } = served.extra;
    const { raw: response } = reply.hijack();
    response.on('finish', () =>
      views.afterPage(viewOf, { method, status: response.statusCode, headers }, ip),
    );
    sendResponse(response, request, served, 'page');
    return reply;
  });
}

/** Redirects the search form of readers without scripts: `/search?term=` to the term's page, an empty term home. */
export async function searchRedirectRoutes(app: FastifyInstance): Promise<void> {
  app.get('/search', (request, reply) => {
    const { query } = request;
    const given = typeof query === 'object' && query !== null && 'term' in query ? query.term : '';
    const term = typeof given === 'string' ? enteredSearchTerm(given) : '';
    return reply
      .header('cache-control', 'no-store')
      .redirect(term === '' ? '/' : searchPath('all', term), 302);
  });
}

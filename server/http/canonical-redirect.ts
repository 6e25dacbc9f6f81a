import type { FastifyInstance, FastifyReply } from 'fastify';
import { PAGES_ROUTE } from '#server/ops/metrics/route-label.ts';
import { canonicalPath, splitTarget } from '#shared/canonical-path.ts';
import { sendNotFound } from './error-handler.ts';

/**
 * Redirects requests whose path is not canonical, before a handler looks anything up: API, feeds, sitemaps, Markdown,
 * files, pictures. A path that can name nothing is 404. Pages are redirected by their own route, which also knows the
 * page table.
 */
export function redirectToCanonicalUrl(app: FastifyInstance): void {
  app.addHook('preHandler', (request, reply, done) => {
    const { method, routeOptions, url } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead || routeOptions.url === undefined || routeOptions.url === PAGES_ROUTE) return done();
    const [path, query] = splitTarget(url);
    const canonical = canonicalPath(path);
    if (canonical === path) return done();
    if (canonical === null) sendNotFound(request, reply);
    else redirectToCanonical(reply, canonical + query);
  });
}

/** Not stored anywhere: there are more spellings than anybody needs to remember. `location`: a path of ours. */
export function redirectToCanonical(reply: FastifyReply, location: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(location, 308);
}

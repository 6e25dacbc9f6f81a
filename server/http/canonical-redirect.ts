import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { NotFound } from '#server/errors.ts';
import { PAGES_ROUTE } from '#server/render/page-table.ts';
import { canonicalPath, splitTarget } from '#shared/canonical-path.ts';

/**
 * Redirects reads whose path is not canonical before a handler looks anything up: API, feeds, sitemaps, files,
 * images. A path that has no canonical form is 404. Pages are redirected by their own route, which knows the page table
 * as well.
 */
export const canonicalRedirect = fp(
  async (app: FastifyInstance): Promise<void> => {
    app.addHook('preHandler', (request, reply, done) => {
      const { method, routeOptions, url } = request;
      const isRead = method === 'GET' || method === 'HEAD';
      if (!isRead || routeOptions.url === undefined || routeOptions.url === PAGES_ROUTE) return done();
      const [path, query] = splitTarget(url);
      const canonical = canonicalPath(path);
      if (canonical === path) return done();
      if (canonical === null) return done(new NotFound());
      redirectToCanonical(reply, canonical + query);
    });
  },
  { name: 'canonical-redirect' },
);

/** Redirects with 308 to a path of this site. Not cacheable: there is no end of other spellings. */
export function redirectToCanonical(reply: FastifyReply, location: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(location, 308);
}

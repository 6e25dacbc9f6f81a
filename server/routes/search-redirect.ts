import type { FastifyInstance } from 'fastify';
import { searchPath } from '#shared/urls.ts';

/** Where the search box leads without scripts: `/search?term=` goes on to the page of the term, an empty one home. */
export function searchRedirectRoutes(app: FastifyInstance): void {
  app.get('/search', (request, reply) => {
    const { query } = request;
    const given = typeof query === 'object' && query !== null && 'term' in query ? query.term : '';
    const term = typeof given === 'string' ? given.trim().slice(0, 200) : '';
    return reply
      .header('cache-control', 'no-store')
      .redirect(term === '' ? '/' : searchPath('all', term), 302);
  });
}

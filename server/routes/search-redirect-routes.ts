import type { FastifyInstance } from 'fastify';
import { MAX_SEARCH_TERM_LENGTH, searchPath } from '#shared/urls.ts';

/** Redirects the search form of readers without scripts: `/search?term=` to the term's page, an empty term home. */
export async function searchRedirectRoutes(app: FastifyInstance): Promise<void> {
  app.get('/search', (request, reply) => {
    const { query } = request;
    const given = typeof query === 'object' && query !== null && 'term' in query ? query.term : '';
    const term = typeof given === 'string' ? given.trim().slice(0, MAX_SEARCH_TERM_LENGTH) : '';
    return reply
      .header('cache-control', 'no-store')
      .redirect(term === '' ? '/' : searchPath('all', term), 302);
  });
}

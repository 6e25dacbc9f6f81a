import type { FastifyInstance } from 'fastify';
import { BadRequest } from '#server/errors.ts';

/** Posts that another site's page makes a reader's browser send are refused. Clients that are no browser send neither header. */
export function checkCsrf(app: FastifyInstance, publicOrigin: string): void {
  app.addHook('onRequest', async ({ headers }) => {
    const { origin, host } = headers;
    const fetchSite = headers['sec-fetch-site'];
    const isOurs = origin === undefined || origin === publicOrigin || URL.parse(origin)?.host === host;
    if (!isOurs || fetchSite === 'cross-site')
      throw new BadRequest('Forms can be sent from this site’s own pages alone.', null, 403);
  });
}

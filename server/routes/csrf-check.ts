import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '#server/config.ts';
import { BadRequest } from '#server/errors.ts';

/**
 * Refuses cross-site posts on the routes of the plugin that registers it, by `Origin` and `Sec-Fetch-Site`. Clients that
 * are not browsers send neither header.
 */
export const csrfCheck = fp(
  async (app: FastifyInstance, { config }: { config: Pick<Config, 'publicOrigin'> }): Promise<void> => {
    app.addHook('onRequest', async ({ headers }) => {
      const { origin, host } = headers;
      const fetchSite = headers['sec-fetch-site'];
      const isSameSite =
        origin === undefined || origin === config.publicOrigin || URL.parse(origin)?.host === host;
      if (!isSameSite || fetchSite === 'cross-site')
        throw new BadRequest('Forms can be sent from this site’s own pages alone.', null, 403);
    });
  },
  { name: 'csrf-check' },
);

import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '#server/config/config.ts';
import { BadRequest } from '#server/errors.ts';

/**
 * Refuses cross-site posts on the routes of the plugin that registers it, by `Origin` and `Sec-Fetch-Site`. Clients that
 * are not browsers send neither header.
 */
export const csrfCheck = fp(
  async (app: FastifyInstance, { config }: { config: Pick<Config, 'publicOrigin'> }): Promise<void> => {
    app.addHook('onRequest', async (request) => {
      if (!isSameOrigin(request, config.publicOrigin))
        throw new BadRequest('Forms can be sent from this site’s own pages alone.', null, 403);
    });
  },
  { name: 'csrf-check' },
);

/** An origin as browsers write it (RFC 6454, 6.2): compared as a whole, so that neither userinfo nor a scheme is lost. */
function isSameOrigin({ headers, protocol }: FastifyRequest, publicOrigin: string): boolean {
  const { host, origin, 'sec-fetch-site': fetchSite } = headers;
  if (!host || fetchSite === 'cross-site') return false;
  if (origin === undefined || origin === publicOrigin || origin === `${protocol}://${host}`) return true;
  // A proxy that ends TLS may not say so. The browser has compared the schemes.
  return fetchSite === 'same-origin' && origin === `https://${host}`;
}

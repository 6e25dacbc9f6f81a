import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { BadRequest, Gone } from '#server/errors.ts';
import { HEALTH_CHECK_PATHS } from '#server/http/health.ts';
import { countRead, type RateLimits } from '#server/http/rate-limit.ts';
import { sendWithEtag } from '#server/http/response/send-response.ts';
import { splitTarget } from '#shared/canonical-path.ts';
import { findFile } from './served-files.ts';
import type { Site } from './site.ts';

export interface SiteFolderRoutesOptions {
  site: Pick<Site, 'folder'>;
  config: { rateLimit: RateLimits };
}

/**
 * Sends the files and redirects of the site folder, before the routes of the site. A hook and not routes, because both may
 * change while the server runs, and take the place of any route. Cached pages are sent before it, by the front cache.
 */
export const siteFolderRoutes = fp(
  async (app: FastifyInstance, { site, config }: SiteFolderRoutesOptions): Promise<void> => {
    if (site.folder() === null) return;
    app.addHook('onRequest', async (request, reply) => {
      const folder = site.folder();
      const [path] = splitTarget(request.url);
      // Probes tell the state of this server, whatever a rule such as `/*` says.
      if (folder === null || HEALTH_CHECK_PATHS.has(path)) return;
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const found = findFile(folder.files, path) ?? (isRead && folder.redirect?.(request.url));
      if (!found) return;
      // The hooks of no route run.
      await countRead(config.rateLimit, request, reply);
      if ('location' in found) {
        if (found.status === 410) throw new Gone();
        return reply.header('cache-control', 'public, max-age=3600').redirect(found.location, found.status);
      }
      if (isRead) return sendWithEtag(request, reply.header('cache-control', found.cacheControl), found);
      reply.header('allow', 'GET, HEAD, OPTIONS');
      if (request.method === 'OPTIONS') return reply.code(204).send();
      throw new BadRequest('This address does not take the method.', null, 405);
    });
  },
  { name: 'site-folder-routes' },
);

import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { BadRequest, Gone } from '#server/errors.ts';
import { HEALTH_CHECK_PATHS } from '#server/http/health.ts';
import { sendWithEtag } from '#server/http/response/send-response.ts';
import { splitTarget } from '#shared/canonical-path.ts';
import type { Site } from './site.ts';
import { findFile } from './site-folder-files.ts';

export interface SiteFolderRoutesOptions {
  site: Pick<Site, 'folder'>;
}

/**
 * Sends the files and redirects of the site folder, before the routes of the site. A hook and not routes, because both may
 * change while the server runs, and take the place of any route. Cached pages are sent before it, by the front cache.
 */
export const siteFolderRoutes = fp(
  async (app: FastifyInstance, { site }: SiteFolderRoutesOptions): Promise<void> => {
    if (site.folder() === null) return;
    app.addHook('onRequest', async (request, reply) => {
      const folder = site.folder();
      const [path] = splitTarget(request.url);
      // Probes tell the state of this server, whatever a rule such as `/*` says.
      if (folder === null || HEALTH_CHECK_PATHS.has(path)) return;
      const file = findFile(folder.files, path);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (file) {
        if (!isRead) {
          reply.header('allow', 'GET, HEAD, OPTIONS');
          if (request.method === 'OPTIONS') return reply.code(204).send();
          throw new BadRequest('This address does not take the method.', null, 405);
        }
        return sendWithEtag(request, reply.header('cache-control', file.cacheControl), file);
      }
      const redirect = isRead ? folder.redirect?.(request.url) : null;
      if (!redirect) return;
      if (redirect.status === 410) throw new Gone();
      return reply
        .header('cache-control', 'public, max-age=3600')
        .redirect(redirect.location, redirect.status);
    });
  },
  { name: 'site-folder-routes' },
);

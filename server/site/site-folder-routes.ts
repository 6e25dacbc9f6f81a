import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { BadRequest, Gone, PreconditionFailed } from '#server/errors.ts';
import { evaluatePreconditions } from '#server/http/response/send-response.ts';
import { splitTarget } from '#shared/canonical-path.ts';
import type { Site } from './site.ts';
import { findFile } from './site-files.ts';

const PROBES = ['/healthz', '/readyz'];

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
      if (folder === null || PROBES.includes(path)) return;
      const file = findFile(folder.files, path);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (file) {
        if (!isRead) {
          reply.header('allow', 'GET, HEAD');
          throw new BadRequest('This address does not take the method.', null, 405);
        }
        const isStored = !path.startsWith('/assets/site/') || file.isHashed || path.includes('/fonts/');
        const maxAge = file.isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
        reply.headers({ 'cache-control': isStored ? maxAge : 'no-store', etag: file.etag });
        const precondition = evaluatePreconditions(request.headers, file.etag);
        if (precondition === 412) throw new PreconditionFailed();
        if (precondition === 304) return reply.code(304).send();
        return reply.type(file.type).send(file.body);
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

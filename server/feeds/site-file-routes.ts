import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config/config.ts';
import { SPECULATION_RULES_PATH, sendWithEtag } from '#server/http/response/send-response.ts';
import type { Site } from '#server/site/site.ts';
import { openSearch, robots, securityText, speculationRules, webManifest } from './site-files.ts';

export interface SiteFilesOptions {
  config: Pick<Config, 'publicOrigin'>;
  site: Pick<Site, 'settings' | 'paper'>;
  /** Wall milliseconds. */
  wallClock: () => number;
}

/**
 * The files that describe the site to programs. They depend on the configuration alone, and on the day: fresh for an hour.
 */
export async function siteFileRoutes(
  app: FastifyInstance,
  { config, site, wallClock }: SiteFilesOptions,
): Promise<void> {
  const origin = config.publicOrigin;
  const plain = 'text/plain; charset=utf-8';
  const add = (url: string, type: string, text: () => string) =>
    app.route({
      // Fastify's own HEAD route would add a length to a 304.
      method: ['GET', 'HEAD'],
      url,
      handler(request, reply) {
        const body = text();
        reply.header('cache-control', 'public, max-age=3600');
        return sendWithEtag(request, reply, { type, body, etag: `"${hash('sha1', body, 'base64url')}"` });
      },
    });

  add('/robots.txt', plain, () => robots(origin, site.settings()));
  add('/.well-known/security.txt', plain, () => securityText(origin, wallClock(), site.settings()));
  add('/opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8', () =>
    openSearch(origin, site.settings()),
  );
  add('/manifest.webmanifest', 'application/manifest+json; charset=utf-8', () =>
    webManifest(site.settings(), site.paper().light),
  );
  add(SPECULATION_RULES_PATH, 'application/speculationrules+json', speculationRules);
}

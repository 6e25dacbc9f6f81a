import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config/config.ts';
import { SPECULATION_RULES_PATH } from '#server/http/response/send-response.ts';
import type { Site } from '#server/site/site.ts';
import { openSearch, robots, securityText, speculationRules, webManifest } from './site-files.ts';
import { addTextRoute } from './text-route.ts';

export interface SiteFilesOptions {
  config: Pick<Config, 'publicOrigin'>;
  site: Pick<Site, 'settings' | 'paper'>;
  /** Wall milliseconds. */
  wallClock: () => number;
}

/** The files that describe the site to programs. They depend on the configuration alone, and on the day. */
export async function siteFileRoutes(
  app: FastifyInstance,
  { config, site, wallClock }: SiteFilesOptions,
): Promise<void> {
  const origin = config.publicOrigin;
  const plain = 'text/plain; charset=utf-8';
  addTextRoute(app, '/robots.txt', plain, () => robots(origin, site.settings()));
  addTextRoute(app, '/.well-known/security.txt', plain, () =>
    securityText(origin, wallClock(), site.settings()),
  );
  addTextRoute(app, '/opensearch.xml', 'application/opensearchdescription+xml; charset=utf-8', () =>
    openSearch(origin, site.settings()),
  );
  addTextRoute(app, '/manifest.webmanifest', 'application/manifest+json; charset=utf-8', () =>
    webManifest(site.settings(), site.paper().light),
  );
  addTextRoute(app, SPECULATION_RULES_PATH, 'application/speculationrules+json', speculationRules);
}

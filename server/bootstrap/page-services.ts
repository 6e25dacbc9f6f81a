import { createContentService } from '#server/content/content-service.ts';
import type { Metrics } from '#server/ops/metrics/metrics.ts';
import { createPageResponses, type ResponseExtra } from '#server/render/page-responses.ts';
import type { PageSource } from '#server/render/page-source.ts';
import { createPageTemplates } from '#server/render/page-templates.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { Services } from '#server/service-types.ts';
import { ownPage } from '#server/site/markdown-pages.ts';
import type { Site } from '#server/site/site.ts';

export interface PageServicesDeps
  extends Pick<Services, 'cache' | 'config' | 'logger' | 'queries' | 'tracing'> {
  bundle: PageSource['bundle'];
  renderer: PageSource['renderer'];
  site: Pick<Site, 'folder' | 'settings'>;
  responses: ResponseCache<ResponseExtra>;
  metrics: Pick<Metrics, 'observeRender'>;
}

/** Makes the services that load and render pages. */
export async function createPageServices(deps: PageServicesDeps) {
  const { bundle, cache, config, logger, metrics, queries, renderer, responses, site, tracing } = deps;
  const createSiteApi: Services['createSiteApi'] = (tracker) =>
    createContentService(
      {
        upstream: queries,
        cache,
        deadlineMs: config.upstreamTimeoutMs,
        sections: site.settings().sections,
        ownPage: (name) => ownPage(site, name),
        onMissed: (section, err) => logger.warn({ section, err }, 'optional section left out'),
      },
      tracker,
    );
  const pageTemplates = createPageTemplates(await bundle());
  const pages = createPageResponses({
    responses,
    createSiteApi,
    bundle,
    renderer,
    pageTemplates,
    origin: config.publicOrigin,
    onRender: metrics.observeRender,
    tracing,
  });
  return { createSiteApi, pageTemplates, pages };
}

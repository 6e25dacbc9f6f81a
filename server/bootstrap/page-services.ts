import { createContentService } from '#server/content/content-service.ts';
import { createLoadMonitor } from '#server/http/health/load-shedding.ts';
import { createReadiness } from '#server/http/health/readiness.ts';
import type { Metrics } from '#server/ops/metrics/metrics.ts';
import { createPageResponses, type ResponseExtra } from '#server/render/page-responses.ts';
import type { PageSource } from '#server/render/page-source.ts';
import { createPageTemplates } from '#server/render/page-templates.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import { warmUpTemplates } from '#server/render/template-warm-up.ts';
import type { Services } from '#server/service-types.ts';
import { ownPage } from '#server/site/markdown-pages.ts';
import type { Site } from '#server/site/site.ts';

export interface PageServicesDeps
  extends Pick<Services, 'cache' | 'config' | 'logger' | 'queries' | 'tracing'> {
  /** Monotonic milliseconds. */
  clock: () => number;
  bundle: PageSource['bundle'];
  renderer: PageSource['renderer'];
  site: Pick<Site, 'folder' | 'settings'>;
  responseCache: ResponseCache<ResponseExtra>;
  metrics: Pick<Metrics, 'observeRender'>;
  /** Whether each template is rendered once before the server is ready. */
  warmUp: boolean;
  /** Resolves when other instances can serve this build's files; undefined where they are not shared. */
  storingAssets: Promise<void> | undefined;
}

/** Makes the services that load and render pages, and those that tell whether the server is ready and overloaded. */
export async function createPageServices(deps: PageServicesDeps) {
  const { config, logger, clock, bundle, renderer, site, cache, queries, responseCache, metrics, tracing } =
    deps;
  const origin = config.publicOrigin;
  const readiness = createReadiness({
    warmUp: async (signal) => {
      if (deps.warmUp) await warmUpTemplates({ bundle, renderer, origin, logger, signal });
      await deps.storingAssets;
    },
    // Not before the templates are compiled: on a busy machine the first page would take longer than its connection lives.
    ...(deps.warmUp && { onReady: renderer.lowerPriority }),
    clock,
    logger,
  });
  const loadMonitor = createLoadMonitor({ renderer, readiness });
  const createSiteApi: Services['createSiteApi'] = (tracker) =>
    createContentService(
      {
        upstream: queries,
        cache,
        deadlineMs: config.upstreamTimeoutMs,
        sections: site.settings().sections,
        ownPage: (name) => ownPage(site.folder(), name),
        onMissed: (section, err) => logger.warn({ section, err }, 'optional section left out'),
      },
      tracker,
    );
  const pageTemplates = createPageTemplates(await bundle());
  const onRender = metrics.observeRender;
  const pages = createPageResponses({
    responses: responseCache,
    createSiteApi,
    bundle,
    renderer,
    pageTemplates,
    origin,
    onRender,
    tracing,
  });
  return { readiness, loadMonitor, responses: responseCache, createSiteApi, pageTemplates, pages };
}

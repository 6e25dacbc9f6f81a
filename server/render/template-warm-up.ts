import type { Logger } from 'pino';
import { renderArticleHtml } from '#server/article-html/render-article-html.ts';
import { createContentCache } from '#server/cache/content-cache.ts';
import { DEFAULT_POLICIES } from '#server/cache/default-policies.ts';
import { createCmsClient } from '#server/cms/client/cms-client.ts';
import { createCmsApi } from '#server/cms/cms-api.ts';
import { createCacheQueries } from '#server/content/cache-queries.ts';
import { createContentService } from '#server/content/content-service.ts';
import { privacyPolicy } from '#server/site/privacy-policy.ts';
import { NO_TRACING } from '#server/tracing/tracing.ts';
import { defaultSite } from '#shared/site.ts';
import { createPageResponses, type ResponseExtra } from './page-responses.ts';
import { createPageTemplates } from './page-templates.ts';
import type { RenderBundle, Renderer } from './renderer.ts';
import { createResponseCache } from './response-cache/response-cache.ts';
import { startSampleUpstream } from './sample-upstream.ts';

export interface TemplateWarmUpOptions {
  bundle: () => Promise<Pick<RenderBundle, 'pages' | 'loadPage' | 'canonicalUrl'>>;
  renderer: Pick<Renderer, 'render'>;
  origin: string;
  logger: Pick<Logger, 'warn'>;
  signal: AbortSignal;
}

/** Bound of each cache. They are dropped afterwards. */
const MAX_BYTES = 16 * 1024 * 1024;
const DEADLINE_MS = 3_000;

/**
 * Renders each template of the page table once from sample data, the way an uncached page is rendered: upstream schemas,
 * HTML pipeline, loaders, render worker, compression. So V8 compiles this code before the first reader needs it. Uses
 * caches of its own and does not call the upstream. Logs a template that fails. Never rejects.
 */
export async function warmUpTemplates({
  bundle,
  renderer,
  origin,
  logger,
  signal,
}: TemplateWarmUpOptions): Promise<void> {
  const clock = () => performance.now();
  const cache = createContentCache({ policies: DEFAULT_POLICIES, maxBytes: MAX_BYTES, clock });
  const responses = createResponseCache<ResponseExtra>({ content: cache, maxBytes: MAX_BYTES, clock });
  const sampleUpstream = await startSampleUpstream();
  const client = createCmsClient({ origin: sampleUpstream.origin, timeoutMs: DEADLINE_MS, logger, clock });
  const report = (left: object) => logger.warn(left, 'warm-up: a sample was left out');
  const upstream = createCacheQueries(
    createCmsApi({
      client,
      renderHtml: renderArticleHtml,
      imageHost: '/media',
      publicOrigin: origin,
      report,
    }),
  );
  const onMissed = (section: string, err: unknown) =>
    logger.warn({ section, err }, 'warm-up: an optional section is missing');
  const deps = {
    upstream,
    cache,
    deadlineMs: DEADLINE_MS,
    ownPage: () => privacyPolicy(defaultSite),
    onMissed,
  };
  const pages = createPageResponses({
    responses,
    createSiteApi: (tracker) => createContentService(deps, tracker),
    bundle,
    renderer,
    pageTemplates: createPageTemplates(await bundle()),
    origin,
    tracing: NO_TRACING,
  });
  // One at a time: a reader's page waits in the render queue behind one template, not behind all.
  for (const { name, path } of (await bundle()).pages) {
    if (signal.aborted) break;
    // The upstream's samples have no page of a publisher's own.
    if (name === 'own') continue;
    try {
      const served = await pages.serve(samplePath(path));
      if (served.kind !== 'response' || served.response.status === 503)
        logger.warn({ page: name }, 'warm-up: a template was not rendered');
    } catch (err) {
      if (!signal.aborted) logger.warn({ page: name, err }, 'warm-up: a template was not rendered');
    }
  }
  await client.close();
  sampleUpstream.close();
}

/** Returns a path of a template: `/topic/:category` becomes `/topic/sample`. */
function samplePath(pattern: string): string {
  return pattern.replace(/:\w+/g, 'sample').replace('*', '/404');
}

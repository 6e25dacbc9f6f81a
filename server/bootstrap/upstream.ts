import { join } from 'node:path';
import type { Logger } from 'pino';
import { createBodyRenderer } from '#server/article-html/body-renderer.ts';
import { createCmsClient } from '#server/cms/client/cms-client.ts';
import { createCmsApi } from '#server/cms/cms-api.ts';
import type { Config } from '#server/config/config.ts';
import type { Services } from '#server/service-types.ts';
import { createFolder } from '#server/storage/files.ts';
import type { SiteSettings } from '#shared/site.ts';

export interface UpstreamOptions
  extends Pick<Services, 'clock' | 'config' | 'logger' | 'metrics' | 'tracing'> {
  dataDir: string;
  settings: Pick<SiteSettings, 'timeZone' | 'texts'>;
}

const PUBLIC_IP_LOOKUP = 'https://api.ipify.org?format=json';
const MEDIA_PATH = '/media';

/**
 * Makes the client and the calls of the upstream. Starts the adapter for WordPress where one is configured, and the demo CMS
 * where there is no upstream or no image host. Creates their folders by `createFolder`, which says why.
 */
export async function openUpstream(options: UpstreamOptions) {
  const { config, dataDir, logger, clock, metrics, settings, tracing } = options;
  const { apiHost, imageResize, ipLookupUrl } = config;
  const wordpress = await startWordpress(config, dataDir, logger);
  const imageHost = wordpress?.imageHost ?? config.imageHost;
  const isOwnDemo = wordpress === null && apiHost === null;
  const demoCms = isOwnDemo || imageHost === null ? await startDemoCms(join(dataDir, 'demo')) : null;
  const origin = wordpress?.origin ?? apiHost ?? demoCms?.origin;
  if (origin === undefined) throw new Error('there is no upstream: neither API_HOST nor the demo CMS');
  const isResizing = wordpress !== null || imageHost === null || imageResize;
  const client = createCmsClient({
    origin,
    authorization: apiHost === null ? null : config.apiAuthorization,
    timeoutMs: config.upstreamTimeoutMs,
    proxies: config.proxies,
    logger,
    clock,
    onCall: metrics.observeCall,
    tracing,
  });
  return {
    client,
    cms: createCmsApi({
      client,
      renderHtml: createBodyRenderer(),
      imageHost: imageHost ?? MEDIA_PATH,
      imagesServedBelow: isResizing ? MEDIA_PATH : null,
      publicOrigin: config.publicOrigin,
      onLosses: metrics.observeLosses,
      onReduced: metrics.observeReducedBody,
      timeZone: settings.timeZone,
      texts: settings.texts,
      report(left) {
        logger.warn(left, 'upstream items left out');
        metrics.observeDroppedItems(left);
      },
    }),
    /** Base URL of the originals of `/media`; null where browsers ask the image host itself. */
    originalsUrl: isResizing ? (imageHost ?? `${demoCms?.origin}${MEDIA_PATH}`) : null,
    ipLookupUrl: ipLookupUrl ?? (isOwnDemo ? `${origin}/lookup?format=json` : PUBLIC_IP_LOOKUP),
    async close(): Promise<void> {
      await client.close();
      await demoCms?.close();
      await wordpress?.close();
    },
  };
}

/** Imported here, because most sites have no WordPress. */
async function startWordpress(config: Config, dataDir: string, logger: Logger) {
  const { wordpressUrl, wordpressSections, submissionsUrl, apiAuthorization, optOutPath } = config;
  if (wordpressUrl === null) return null;
  createFolder(dataDir);
  const { startWordpressProcess } = await import('./wordpress-process.ts');
  return startWordpressProcess({
    wordpressUrl,
    sections: wordpressSections ?? '',
    submissionsUrl,
    authorization: apiAuthorization,
    optOutPath,
    timeoutMs: config.upstreamTimeoutMs,
    proxies: config.proxies,
    dataDir,
    logger,
  });
}

/** Imported here, because a site with an upstream and an image host does not need it. */
async function startDemoCms(dataDir: string) {
  createFolder(dataDir);
  const demo = await import('#demo/start.ts');
  return demo.startDemoCms({ dataDir, faults: false });
}

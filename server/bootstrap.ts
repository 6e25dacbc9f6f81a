import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { openCaches } from './bootstrap/caches.ts';
import { createHttpServices } from './bootstrap/http-services.ts';
import { openUpstream } from './bootstrap/upstream.ts';
import { createCdn } from './cdn/cdn.ts';
import type { Config } from './config/config.ts';
import { createContentService } from './content/content-service.ts';
import { createPageCacheKeys } from './content/page-cache-keys.ts';
import { createReadiness } from './http/health.ts';
import { createLoadMonitor } from './http/load-shedding.ts';
import { createRateLimitStores } from './http/rate-limit.ts';
import { createRecentChanges } from './ops/change-log.ts';
import { registerGauges } from './ops/metrics/gauges.ts';
import { createMetrics } from './ops/metrics/record-metrics.ts';
import { buildOpsApp } from './ops/ops-app.ts';
import { sendTo } from './outbox/delivery.ts';
import { openOutbox } from './outbox/outbox.ts';
import { readBuildInfo } from './process/build-info.ts';
import { closeWithin, drainConnections, runShutdownSteps } from './process/graceful-shutdown.ts';
import { createPageResponses } from './render/page-responses.ts';
import { openPageSource } from './render/page-source.ts';
import { createPageTable } from './render/page-table.ts';
import { createRenderQueue, type RenderQueueOptions } from './render/render-queue.ts';
import type { Renderer } from './render/render-response.ts';
import { openSharedAssets } from './render/shared-assets.ts';
import type { Services } from './service-types.ts';
import { ownPage } from './site/markdown-pages.ts';
import { sendToNewsletter } from './site/newsletter.ts';
import { openPublisherSite, withSiteFolder } from './site/site.ts';
import { after, type Clock, systemClock, withTimeout } from './time.ts';
import { NO_TRACING, type Tracing } from './tracing/tracing.ts';
import { createIpLookup, createPublicIp } from './views/public-ip.ts';
import { createViewCounter } from './views/view-counter.ts';

export interface BootstrapOptions {
  config: Config;
  logger: Logger;
  /** The project's folder. */
  root: string;
  /** Vite serves the client, with hot reload. */
  development: boolean;
  /** Replaces the load monitor in tests. */
  isOverloaded?: (() => boolean) | undefined;
  /** Replaces the usual wait for optional sections (ms) in tests. */
  optionalWaitMs?: number | undefined;
  clock?: Clock;
  /** From 0 to 1: jitter of the TTLs. */
  random?: () => number;
  createRenderer?: ((options: RenderQueueOptions) => Renderer) | undefined;
  /** Closed with the site. */
  tracing?: Tracing;
}

/** Version of the cached models. Raise it when a model or the snapshot changes its shape: those of another version are ignored. */
const MODEL_VERSION = '4';

/** Wait at most this long (ms) for Redis before the app listens. */
const REDIS_START_MS = 500;
/** How long a start waits for the render thread to run, in milliseconds. */
const RENDERER_WAIT_MS = 5_000;
/** How long a start waits until this build's files are where other instances find them, in milliseconds. */
const ASSETS_WAIT_MS = 5_000;
/** A step of a stop that can end itself early does so after this share of its time. */
const CUT_SHARE = 0.9;
/** After this share of the time for requests the outbox gives up the attempts that readers of forms wait for. */
const GIVE_UP_SHARE = 0.75;
/** Redis may take this share to keep their messages: their responses can then still be sent. */
const KEEP_SHARE = 0.05;

/** Composition root: makes every service from the configuration. Resolves with a site that is ready to listen. */
export async function bootstrap(options: BootstrapOptions) {
  const { config, logger, root, development, optionalWaitMs, clock = systemClock } = options;
  const { random = Math.random, createRenderer = createRenderQueue, tracing = NO_TRACING } = options;
  const common = { config, logger, clock, tracing };
  // First: the render worker loads its code while this thread does the rest.
  const isBehindCdn = config.cdn.name !== null;
  const source = await openPageSource({ root, development, logger, isBehindCdn, createRenderer });
  const { renderer, clientDir } = source;
  const site = await openPublisherSite({ config, root, logger, source });
  const { bundle, headTags } = withSiteFolder(source, site);
  const dataDir = resolve(root, config.dataDir);
  // Here, because other instances are asked for this build's files as soon as this one sends pages.
  const sharedAssets =
    clientDir === null || config.assetsDir === null
      ? null
      : openSharedAssets({ clientDir, folder: resolve(root, config.assetsDir), logger });

  // Health
  let isStopping = false;
  const readiness = createReadiness({ clock, logger });
  const loadMonitor = createLoadMonitor({ renderer, readiness });
  const isOverloaded = options.isOverloaded ?? loadMonitor.isOverloaded;

  // Upstream and caches
  const metrics = createMetrics({ upstreamTimeoutMs: config.upstreamTimeoutMs, clock });
  const upstream = await openUpstream({ ...common, dataDir, metrics, settings: site.settings() });
  const { client, originalsUrl } = upstream;
  // Cached models hold URLs of images, dates in the site's time zone, and texts in its language. What was cached of the
  // demo CMS, or of another WordPress, is of no use to a WordPress.
  const isResized = config.imageHost !== null && originalsUrl !== null;
  const { timeZone, texts, language } = site.settings();
  const madeWith = [isResized, timeZone, texts && language, config.wordpressUrl];
  const modelVersion = [MODEL_VERSION, ...madeWith].join('-');
  // Imported here, because most sites do not need it.
  const redis =
    config.redisUrl === null
      ? null
      : await (await import('./redis/redis-services.ts')).connectRedisServices({
          ...common,
          url: config.redisUrl,
          cacheUrl: config.redisCacheUrl ?? config.redisUrl,
          site: [config.apiHost ?? config.wordpressUrl, config.imageHost],
          version: modelVersion,
        });
  const caches = await openCaches({
    ...common,
    cms: upstream.cms,
    redis,
    dir: dataDir,
    version: modelVersion,
    random,
    isOverloaded,
  });
  const { cache, queries, responses } = caches;
  cache.onFailure(metrics.observeLoadFailure);
  const cdn = createCdn({ ...common, config: config.cdn, cache, registry: metrics.registry });
  const changes = createRecentChanges();
  redis?.channel.listen({ cache, changes, ...caches.restored });

  // What readers send
  const outbox = await openOutbox({
    ...common,
    dir: dataDir,
    authorization: config.apiAuthorization,
    send: sendToNewsletter(sendTo(client, config.optOutPath), {
      url: () => site.folder()?.subscribeUrl ?? null,
      authorization: config.subscribeAuthorization,
      timeoutMs: config.upstreamTimeoutMs,
      proxies: config.proxies,
    }),
    openSharedQueue: redis?.openQueue ?? null,
    random,
    onDelivery: metrics.observeDelivery,
  });
  const ipLookup = createIpLookup(upstream.ipLookupUrl, config.proxies);
  const publicIp = createPublicIp({ lookup: ipLookup.lookup, clock, logger });
  const views = createViewCounter({ publicIp, outbox, countsDocuments: config.cdn.name === null });

  // Pages and requests
  const createSiteApi: Services['createSiteApi'] = (tracker) =>
    createContentService(
      {
        queries,
        cache,
        deadlineMs: config.upstreamTimeoutMs,
        optionalWaitMs,
        sections: site.settings().sections,
        ownPage: (name) => ownPage(site, name),
        onMissed(section, err) {
          if (!isStopping) logger.warn({ section, err }, 'optional section left out');
        },
      },
      tracker,
    );
  const pageTable = createPageTable(await bundle());
  const pages = createPageResponses({
    responses,
    createSiteApi,
    bundle,
    renderer,
    pageTable,
    origin: config.publicOrigin,
    onRender: metrics.observeRender,
    tracing,
  });
  const rateLimitStores = createRateLimitStores(clock, redis?.rateLimitWindows);
  const http = createHttpServices({
    ...common,
    development,
    headTags,
    site,
    metrics,
    rateLimitStores,
    responses,
    views,
    cdn,
  });
  // Imported here, because a site whose images are not resized does not need it.
  const images =
    originalsUrl === null
      ? null
      : (await import('./images/image-service.ts')).openImages({
          ...common,
          baseUrl: originalsUrl,
          timeoutMs: config.upstreamTimeoutMs,
          proxies: config.proxies,
          dir: join(dataDir, 'images'),
          maxBytes: config.imageCacheMaxBytes,
          maxWaitMs: http.maxResponseMs,
          onTransform: metrics.observeTransform,
        });
  const app = await buildApp({
    ...common,
    ...http,
    createSiteApi,
    pageTable,
    pages,
    site,
    clientDir,
    viteMiddlewares: source.viteMiddlewares,
    readiness,
    loadMonitor,
    cache,
    queries,
    responses,
    rateLimitStores,
    metrics,
    cdn,
    outbox,
    views,
    sharedAssets,
    images,
  });
  site.onChange(() => {
    // The CDN may keep what is being built of before.
    void responses.clear().then(() => cdn?.purge({ all: true }));
  });
  const build = await readBuildInfo(clientDir, config.revision);
  registerGauges(metrics.registry, {
    cache,
    responses,
    outbox,
    renderer,
    breakerState: client.breakerState,
    build,
    isRedisUp: redis?.isUp,
    isSiteFolderValid: site.folder() === null ? undefined : site.isValid,
  });
  const ops = await buildOpsApp({
    ...common,
    bundle,
    readiness,
    cache,
    responses,
    accessRing: caches.accessRing,
    policyStore: caches.policyStore,
    outbox,
    metrics,
    cdn,
    pageCacheKeys: createPageCacheKeys({
      queries,
      bundle,
      origin: config.publicOrigin,
      sections: () => site.settings().sections,
    }),
    instance: { name: `${hostname()}:${config.port}`, ...build },
    sharedInstances: redis?.instances ?? null,
    published: async () => redis?.channel.published(),
    changes,
    dataDir,
    dashboardDir: join(root, 'dist/dashboard'),
  });
  outbox.start();
  if (redis && !(await redis.channel.inForce(REDIS_START_MS)))
    logger.warn({}, 'policies and modes of the other instances could not be read: Redis is not available');
  // `V8_FLAGS` before the thread runs would give it another compile cache than other starts: Node names it by the flags.
  await withTimeout(RENDERER_WAIT_MS, source.renderer.started);
  // A balancer sends readers as soon as this instance listens, and their browsers may ask another one for its files.
  if (sharedAssets && (await withTimeout(ASSETS_WAIT_MS, sharedAssets.stored)) === null)
    logger.warn(
      { ms: ASSETS_WAIT_MS },
      'listening before the assets of this build are stored for other builds',
    );

  return {
    app,
    ops,
    /**
     * Turns readiness false. For `ms` all requests are still served, on connections that then close; `idleMs`: how long to
     * wait, twice at most, for those that do not.
     */
    async drain(ms: number, idleMs: number): Promise<void> {
      readiness.stop();
      await drainConnections(app.server, ms, idleMs);
    },
    /** Closes the outbox's file without waiting: the process is about to end. */
    abandon: () => outbox.closeImmediately(),
    /** Stops within `graceMs`: readiness, then requests in flight, the outbox, the upstream. */
    async stop(graceMs: number): Promise<void> {
      readiness.stop();
      site.close();
      isStopping = true;
      responses.stop();
      // What readers sent and what is cached first: what comes after them may hang, on a disk or a network that is gone.
      await runShutdownSteps(
        [
          {
            name: 'requests',
            share: 0.6,
            async run(ms) {
              const givingUp = after(ms * GIVE_UP_SHARE, () => outbox.giveUp(ms * KEEP_SHARE));
              await closeWithin(app, ms * CUT_SHARE);
              clearTimeout(givingUp);
            },
          },
          { name: 'views', share: 0.03, run: views.flush },
          { name: 'outbox', share: 0.14, run: (ms) => outbox.close(ms * CUT_SHARE) },
          { name: 'snapshots', share: 0.08, run: caches.close },
          { name: 'operators', share: 0.02, run: () => closeWithin(ops, 0) },
          { name: 'metrics', share: 0.01, run: metrics.close },
          { name: 'renderer', share: 0.02, run: source.close },
          { name: 'purges at the CDN', share: 0.03, run: () => cdn?.close() },
          { name: 'Redis', share: 0.01, run: () => redis?.close() },
          { name: 'address lookup', share: 0.01, run: ipLookup.close },
          { name: 'upstream', share: 0.02, run: upstream.close },
          { name: 'traces', share: 0.02, run: (ms) => tracing.close(ms * CUT_SHARE) },
          { name: 'shared assets', share: 0.01, run: () => sharedAssets?.close() },
        ],
        graceMs,
        logger,
      );
    },
  };
}

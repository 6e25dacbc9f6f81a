import { setTimeout as pause } from 'node:timers/promises';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Config } from '#server/config.ts';
import { createContentService } from '#server/content/content-service.ts';
import { createIndexNow, sendToIndexNow } from '#server/feeds/index-now.ts';
import { createFrontCache } from '#server/http/front-cache.ts';
import { collectMethods } from '#server/http/other-methods.ts';
import { showModeInReadiness } from '#server/ops/readiness-mode.ts';
import type { Outbox } from '#server/outbox/outbox.ts';
import { createPages, type PagesDeps, type ResponseExtra } from '#server/render/pages.ts';
import { assetRoutes } from '#server/routes/assets.ts';
import { feedRoutes } from '#server/routes/feeds.ts';
import { formRoutes } from '#server/routes/forms.ts';
import { healthRoutes } from '#server/routes/health.ts';
import { mediaRoutes } from '#server/routes/media.ts';
import { pageRoutes } from '#server/routes/pages.ts';
import { sitemapRoutes } from '#server/routes/sitemaps.ts';
import type { ViewCounter } from '#server/views/view-counter.ts';
import { DependencyTracker } from './cache/dependency-tracker.ts';
import type { CmsApi } from './cms/cms-api.ts';
import { createCacheQueries } from './content/cache-queries.ts';
import type { PostArchive } from './feeds/archive/post-archive.ts';
import { createAccessLog } from './http/access-log.ts';
import { redirectToCanonicalUrl } from './http/canonical-redirect.ts';
import { createClientIp } from './http/client-ip.ts';
import { closeIdleConnections } from './http/close-idle-connections.ts';
import { sendError, sendNotFound } from './http/error-handler.ts';
import { createRequestGuard } from './http/guard/request-guard.ts';
import { shedUncachedPages, watchLoad } from './http/load-shedding.ts';
import { type CompletedResponse, observeResponses } from './http/on-response.ts';
import { createReadLimit, registerRateLimit } from './http/rate-limit/rate-limit.ts';
import type { RateLimitStores } from './http/rate-limit/rate-limit-store.ts';
import type { Readiness } from './http/readiness.ts';
import { createRequestId } from './http/request-id.ts';
import { SCHEMAS_DOCUMENT } from './http/schema-compilers.ts';
import { registerSecurityHeaders, securityHeaders } from './http/security-headers.ts';
import type { Metrics } from './ops/metrics/metrics.ts';
import { warmResponseCache } from './render/cache-warming.ts';
import type { RenderBundle, Renderer } from './render/renderer.ts';
import type { ResponseCache } from './render/response-cache.ts';
import { createSendResponse } from './render/send-response.ts';
import { apiRoutes } from './routes/api/api.ts';
import { createApiCacheKeys } from './routes/api/api-cache-keys.ts';
import { registerOpenApi } from './routes/api/openapi.ts';
import { articleMarkdownRoutes } from './routes/article-markdown.ts';
import { searchRedirectRoutes } from './routes/search-redirect.ts';
import { webVitalsRoutes } from './routes/web-vitals.ts';

/** Everything the site stands on. `main.ts` makes the real ones, tests their own. */
export interface AppDeps {
  config: Config;
  logger: Logger;
  cms: CmsApi;
  cache: ContentCache;
  responses: ResponseCache<ResponseExtra>;
  /** All posts, for the sitemaps. */
  archive: PostArchive;
  views: ViewCounter;
  outbox: Pick<Outbox, 'submit'>;
  bundle: () => Promise<RenderBundle>;
  renderer: Renderer;
  readiness: Readiness;
  /** Whether there is more work than can be done; the process is watched where it is not given. */
  isUnderPressure?: (() => boolean) | undefined;
  /** The folder of the built client; null in development, where Vite serves. */
  clientDir: string | null;
  /** Folders with the hashed files of earlier builds. */
  earlierAssets: readonly string[];
  /** Where `/media` comes from when images have no host of their own; null when they do. */
  mediaOrigin: string | null;
  metrics: Metrics;
  rateLimitStores: RateLimitStores;
  /** Addresses of pages that are made once the app listens, in this order. */
  pagesToWarm: readonly string[];
  /** Wall milliseconds. */
  now: () => number;
}

/** The site as a Fastify app. Plugins and routes in the order they act. It never listens, so that tests own it. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, logger, cms, cache, views, metrics } = deps;
  const loggerInstance: FastifyBaseLogger = logger;
  const headers = securityHeaders({
    publicOrigin: config.publicOrigin,
    imageHost: config.imageHost,
    development: deps.clientDir === null,
  });
  const nextId = createRequestId();
  const sendResponse = createSendResponse(headers);
  const clientIpOf = createClientIp(config.trustProxy);
  const apiCacheKeys = createApiCacheKeys();
  const logAccess = createAccessLog(logger);
  const onResponse = (completed: CompletedResponse): void => {
    logAccess(completed);
    metrics.observeResponse(completed);
  };
  const guard = createRequestGuard({ headers, nextId, onResponse });
  const frontCache = createFrontCache({
    guard,
    responses: deps.responses,
    apiCacheKeys,
    clientIpOf,
    allows: createReadLimit(config.rateLimit, deps.rateLimitStores),
    nextId,
    views,
    sendResponse,
    onResponse,
  });

  const app = Fastify({
    // Timeouts are the server's own: `http-server.ts`.
    serverFactory: frontCache.serverFactory,
    clientErrorHandler: guard.onClientError,
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost every reader; lines name the id themselves (`docs/decisions/0020`).
    childLoggerFactory: (parent) => parent,
    genReqId: nextId,
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    bodyLimit: 16 * 1024,
    return503OnClosing: false,
    schemaController: SCHEMAS_DOCUMENT,
    routerOptions: { maxParamLength: 512 },
    // Before any hook: the headers are set here.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...headers, 'x-request-id': request.id });
      rateLimiter.countRead(request, reply).then(
        () => sendError(error, request, reply),
        (refusal) => sendError(refusal, request, reply),
      );
    },
  });
  app.addHook('preClose', async () => frontCache.close());

  closeIdleConnections(app);
  // Forms and programs send neither; a form of another page could, without asking first.
  app.removeContentTypeParser('text/plain');
  await registerOpenApi(app, config.publicOrigin);

  app.setErrorHandler(sendError);
  app.setNotFoundHandler(sendNotFound);
  registerSecurityHeaders(app, headers);
  observeResponses(app, onResponse);
  const rateLimiter = await registerRateLimit(app, {
    limits: config.rateLimit,
    stores: deps.rateLimitStores,
    clientIpOf,
  });
  redirectToCanonicalUrl(app);
  const rejectOtherMethods = collectMethods(app, sendNotFound);

  const upstream = createCacheQueries(cms);
  const createSiteApi: PagesDeps['createSiteApi'] = (tracker) =>
    createContentService(
      {
        upstream,
        cache,
        deadlineMs: config.upstreamTimeoutMs,
        onMissed: (section, reason) => logger.warn({ section, err: reason }, 'optional section left out'),
      },
      tracker,
    );
  const responses = shedUncachedPages(deps.responses, deps.isUnderPressure ?? (await watchLoad(app, deps)));
  const pages = createPages({
    responses,
    createSiteApi,
    bundle: deps.bundle,
    renderer: deps.renderer,
    origin: config.publicOrigin,
    onRender: metrics.observeRender,
  });

  const stopping = new AbortController();
  app.addHook('onListen', async () => {
    const ready = deps.readiness.start();
    void ready.then(() => warmResponseCache(deps.pagesToWarm, pages.serve, stopping.signal));
  });
  app.addHook('preClose', async () => stopping.abort());

  const pauseWhileRunning = (ms: number) => pause(ms, undefined, { signal: stopping.signal, ref: false });
  if (config.indexNowKey !== null) {
    const indexNow = createIndexNow({
      key: config.indexNowKey,
      origin: config.publicOrigin,
      latest: () => cache.read(upstream.latest(), new DependencyTracker()),
      send: sendToIndexNow,
      later: (work, ms) => void pauseWhileRunning(ms).then(work, () => undefined),
      now: deps.now,
      logger,
    });
    cache.onNewValue(indexNow.changed);
    void indexNow.start();
  }

  await app.register(async (health) => {
    showModeInReadiness(health, cache.mode);
    healthRoutes(health, { readiness: deps.readiness });
  });
  if (deps.clientDir !== null)
    await assetRoutes(app, { clientDir: deps.clientDir, earlier: deps.earlierAssets });
  if (deps.mediaOrigin !== null) mediaRoutes(app, { origin: deps.mediaOrigin });
  apiRoutes(app, {
    responses,
    createSiteApi,
    targets: apiCacheKeys,
    views,
    sendResponse,
    rateLimit: rateLimiter.beacon,
  });
  await formRoutes(app, {
    outbox: deps.outbox,
    renderFormResult: pages.renderFormResult,
    publicOrigin: config.publicOrigin,
    rateLimit: rateLimiter.write,
  });
  const texts = {
    responses,
    upstream,
    cache,
    sendResponse,
    origin: config.publicOrigin,
    deadlineMs: config.upstreamTimeoutMs,
    now: deps.now,
  };
  await webVitalsRoutes(app, {
    observeWebVitals: metrics.observeWebVitals,
    publicOrigin: config.publicOrigin,
    rateLimit: rateLimiter.beacon,
  });
  feedRoutes(app, { ...texts, indexNowKey: config.indexNowKey });
  sitemapRoutes(app, { ...texts, archive: deps.archive });
  searchRedirectRoutes(app);
  const sendPage = pageRoutes(app, { pages, views, sendResponse });
  articleMarkdownRoutes(app, { ...texts, sendPage });
  rejectOtherMethods(app);
  return app;
}

import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type AppDeps, buildApp } from './app.ts';
import { renderArticleHtml } from './article-html/render-article-html.ts';
import { createAccessHistory } from './cache/access-history/access-history.ts';
import { createContentCache } from './cache/content-cache.ts';
import { createSnapshot } from './cache/snapshot/snapshot.ts';
import { createCmsClient } from './cms/client/cms-client.ts';
import { createCmsApi } from './cms/cms-api.ts';
import type { Config } from './config.ts';
import { createCacheQueries } from './content/cache-queries.ts';
import { openPostArchive } from './feeds/archive/archive-snapshot.ts';
import { archiveSource } from './feeds/archive/archive-source.ts';
import { closeWithin, drainConnections } from './graceful-shutdown.ts';
import { createRateLimitStores } from './http/rate-limit/rate-limit-store.ts';
import { createReadiness } from './http/readiness.ts';
import { registerGauges } from './ops/metrics/gauges.ts';
import { createMetrics } from './ops/metrics/metrics.ts';
import { buildOpsApp } from './ops/ops-app.ts';
import { createPolicyStore } from './ops/policy-store.ts';
import { deliverTo } from './outbox/delivery/deliver.ts';
import { watchEventLoopLag } from './outbox/event-loop-lag.ts';
import { openOutbox } from './outbox/outbox.ts';
import type { RedisClientOptions } from './redis/redis-client.ts';
import type { RedisServices } from './redis/redis-services.ts';
import { loadBuild } from './render/assets.ts';
import type { ResponseExtra } from './render/pages.ts';
import { openPreviousAssets } from './render/previous-assets.ts';
import { createRenderThread } from './render/render-thread.ts';
import { createResponseCache } from './render/response-cache.ts';
import { warmUpTemplates } from './render/template-warm-up.ts';
import { createIpLookup } from './views/ip-lookup.ts';
import { createPublicIp } from './views/public-ip.ts';
import { createViewCounter } from './views/view-counter.ts';

/** What a start needs. */
export interface BootstrapOptions {
  config: Config;
  logger: Logger;
  /** The project's folder. */
  root: string;
  /** Vite serves the client, with hot reload. */
  development: boolean;
  /** A predecessor may still have the outbox: reads are served meanwhile (`docs/decisions/0006`). */
  handOver?: boolean;
  /** Whether there is more work than can be done; the process is watched where it is not given. */
  isUnderPressure?: (() => boolean) | undefined;
  /** Monotonic milliseconds; the process's own where it is not given. */
  clock?: () => number;
  /** From 0 to 1: spreads the ages of what is cached. */
  random?: () => number;
  /** Wall milliseconds; the machine's own where it is not given. */
  wallClock?: () => number;
  /** Whether readers are recorded for the simulator: always, but where a benchmark asks what that costs. */
  recording?: boolean;
  /** How long Redis may take to answer, in milliseconds; the promised time where it is not given. */
  redisBudgetMs?: number | undefined;
  /** Whether each template is rendered once before the site is ready: always, but in tests of something else. */
  warmUp?: boolean;
}

/** A site that is ready to listen. */
export interface RunningSite {
  app: FastifyInstance;
  /** The operators' side. It listens elsewhere, or not at all. */
  ops: FastifyInstance;
  /** Resolves when the outbox is this server's: at once, but for a hand-over. Rejects where it does not become so. */
  owned: Promise<void>;
  /** Resolves when readiness says so, or a stop has begun. To be asked once the app listens. */
  ready(): Promise<void>;
  /** Readiness turns false; for at most `ms` everything is still answered, on connections that then close. */
  drain(ms: number): Promise<void>;
  /** Stops within `graceMs`: readiness first, then requests in flight, then the outbox, then the upstream. */
  stop(graceMs: number): Promise<void>;
  /** Closes the outbox's file and waits for nothing: the process is about to end. */
  abandon(): void;
}

const PUBLIC_IP_LOOKUP = 'https://api.ipify.org?format=json';
const MEDIA_PATH = '/media';

/** Of our model in the snapshot: raise it when a model changes its shape. */
const MODEL_VERSION = '2';

/** A snapshot is at most 30 seconds old (faults): the rest is for writing it. */
const SNAPSHOT_EVERY_MS = 20_000;
/** After a purge it is older than that by what an operator wanted gone. */
const SNAPSHOT_AFTER_PURGE_MS = 1_000;
/** Pages that are made again after a start, before anybody asks for them. */
const PAGES_TO_WARM = 100;

const NOT_COUNTED = { count: () => undefined, creditOne: () => undefined, credit: () => undefined };

/** How long a predecessor may take to let go of the outbox. */
const HAND_OVER_MS = 60_000;
/** What a stop may spend on requests in flight, and on the outbox; the rest is for the snapshot. */
const REQUESTS_SHARE = 0.5;
const OUTBOX_SHARE = 0.2;

/** Rendered bytes get this share of the cache's bound; the rest is data. */
const RESPONSES_SHARE = 0.5;

/** Makes every part the site stands on from its configuration, and the app from the parts. */
export async function bootstrap({
  config,
  logger,
  root,
  development,
  handOver = false,
  isUnderPressure,
  clock = () => performance.now(),
  random = Math.random,
  wallClock = Date.now,
  recording = true,
  redisBudgetMs,
  warmUp = true,
}: BootstrapOptions): Promise<RunningSite> {
  // First: the render worker loads its code while this thread does the rest.
  const serving = development ? await serveWithVite(root) : await serveBuild(root, logger);
  const dataDir = resolve(root, config.dataDir);
  const demoCms = await startDemoCmsFor(config, join(dataDir, 'demo'));
  const apiHost = config.apiHost ?? demoCms?.origin;
  if (apiHost === undefined) throw new Error('there is no upstream: neither API_HOST nor the demo CMS');

  const redis =
    config.redisUrl === null
      ? null
      : await connectToRedis(config, { url: config.redisUrl, logger, clock, timeoutMs: redisBudgetMs });
  const metrics = createMetrics();
  const client = createCmsClient({
    origin: apiHost,
    timeoutMs: config.upstreamTimeoutMs,
    logger,
    clock,
    onCall: metrics.observeCall,
  });
  const cms = createCmsApi({
    client,
    renderHtml: renderArticleHtml,
    imageHost: config.imageHost ?? MEDIA_PATH,
    report: (reports) => logger.warn(reports, 'upstream items left out'),
  });
  const accessHistory = createAccessHistory({ clock });
  const cache = createContentCache({
    policies: config.policies,
    maxBytes: config.cacheMaxBytes * (1 - RESPONSES_SHARE),
    clock,
    random,
    secondLevel: redis?.secondLevel,
    accessHistory: recording ? accessHistory : undefined,
  });
  const responses = createResponseCache<ResponseExtra>({
    content: cache,
    maxBytes: config.cacheMaxBytes * RESPONSES_SHARE,
    clock,
    ...(!recording && { readers: NOT_COUNTED }),
  });
  // Before the snapshot: the ages in force decide what of it is still of use.
  const policyStore = createPolicyStore({ dir: dataDir, policies: cache.policies, logger });
  await policyStore.load();
  let pagesToWarm: readonly string[] = [];
  let lastChange: string | null = null;
  const snapshot = createSnapshot({
    cache: {
      entries: cache.entries,
      pages: () => responses.recentPages(PAGES_TO_WARM),
      lastChange: () => redis?.lastKnownChange() ?? null,
      restore(saved, about) {
        ({ pages: pagesToWarm, lastChange } = about);
        return cache.restore(saved, about.elapsedMs);
      },
    },
    dir: dataDir,
    version: MODEL_VERSION,
    wallClock,
    logger,
  });
  await snapshot.load();
  const postArchive = await openPostArchive({
    source: archiveSource(createCacheQueries(cms), cache.mode),
    dir: dataDir,
    version: MODEL_VERSION,
    clock,
    wallClock,
    logger,
  });
  redis?.shareInvalidations({ cache, since: lastChange, onPolicies: () => void policyStore.save() });
  const outbox = openOutbox({
    dir: dataDir,
    deliver: deliverTo(client, config.optOutPath),
    logger,
    stream: redis?.outbox ?? null,
    isBusy: watchEventLoopLag(),
    waitMs: handOver ? HAND_OVER_MS : 0,
    submitMs: config.upstreamTimeoutMs,
    onDelivery: metrics.observeDelivery,
  });
  const lookupUrl =
    config.ipLookupUrl ??
    (config.apiHost === null && demoCms ? `${demoCms.origin}/lookup?format=json` : PUBLIC_IP_LOOKUP);
  const publicIp = createPublicIp({ lookup: createIpLookup(lookupUrl), clock, logger });
  const views = createViewCounter({ publicIp, outbox });
  const { clientDir } = serving.deps;
  const kept =
    clientDir === null || config.assetsDir === null
      ? null
      : await openPreviousAssets({ clientDir, folder: resolve(root, config.assetsDir), logger });
  const keeping = kept?.keep();
  const { bundle, renderer } = serving.deps;
  const readiness = createReadiness({
    warmUp: async (signal) => {
      if (warmUp && !development)
        await warmUpTemplates({ bundle, renderer, origin: config.publicOrigin, logger, signal });
    },
    onReady: renderer.lowerPriority,
    clock,
    logger,
  });
  const app = await buildApp({
    config,
    logger,
    cms,
    cache,
    responses,
    archive: postArchive.archive,
    views,
    outbox,
    isUnderPressure,
    readiness,
    mediaOrigin: config.imageHost === null ? (demoCms?.origin ?? null) : null,
    metrics,
    rateLimitStores: createRateLimitStores(clock, redis?.rateLimitWindows),
    pagesToWarm,
    earlierAssets: kept?.earlier ?? [],
    now: wallClock,
    ...serving.deps,
  });
  serving.attach(app);
  const { breakerState } = client;
  registerGauges(metrics.registry, {
    cache,
    responses,
    outbox,
    renderer,
    breakerState,
    isRedisUp: redis?.isUp,
  });
  const ops = await buildOpsApp({
    config,
    logger,
    cache,
    accessHistory,
    responses,
    outbox,
    bundle,
    policyStore,
    metrics,
    dashboardDir: join(root, 'dist/dashboard'),
  });
  outbox.start();
  const saving = setInterval(() => {
    void snapshot.save();
    void postArchive.save();
  }, SNAPSHOT_EVERY_MS);
  let savingSoon: NodeJS.Timeout | null = null;
  cache.onPurge(() => {
    savingSoon ??= setTimeout(() => {
      savingSoon = null;
      void snapshot.saveCurrent();
    }, SNAPSHOT_AFTER_PURGE_MS);
  });

  return {
    app,
    ops,
    owned: outbox.owned,
    ready: readiness.start,
    async drain(ms) {
      readiness.stop();
      await drainConnections(app.server, ms);
    },
    abandon: () => outbox.closeAtOnce(),
    async stop(graceMs) {
      readiness.stop();
      clearInterval(saving);
      postArchive.stop();
      if (savingSoon) clearTimeout(savingSoon);
      await closeWithin(app, graceMs * REQUESTS_SHARE);
      await closeWithin(ops, 0);
      metrics.close();
      await keeping;
      await views.flush();
      await outbox.close(graceMs * OUTBOX_SHARE);
      await serving.close();
      await snapshot.save();
      await postArchive.save();
      await cache.close();
      redis?.close();
      await client.close();
      await demoCms?.close();
    },
  };
}

/** Loads what needs ioredis only where Redis is configured. */
async function connectToRedis(config: Config, options: RedisClientOptions): Promise<RedisServices> {
  const { connectRedisServices } = await import('./redis/redis-services.ts');
  const { apiHost, imageHost, upstreamTimeoutMs } = config;
  return connectRedisServices({
    ...options,
    site: [apiHost, imageHost],
    version: MODEL_VERSION,
    upstreamTimeoutMs,
  });
}

/** The demo CMS stands in for a missing upstream, a missing image host, or both. */
async function startDemoCmsFor(config: Config, dataDir: string) {
  if (config.apiHost !== null && config.imageHost !== null) return null;
  const { startDemoCms } = await import('#demo/start.ts');
  return startDemoCms({ dataDir, faults: false });
}

interface Serving {
  deps: Pick<AppDeps, 'bundle' | 'renderer' | 'clientDir'>;
  attach(app: FastifyInstance): void;
  close(): Promise<void>;
}

async function serveBuild(root: string, logger: Logger): Promise<Serving> {
  const { bundle, worker, assets } = await loadBuild(root);
  const renderer = createRenderThread({ worker, assets, logger });
  return {
    deps: { bundle: async () => bundle, renderer, clientDir: join(root, 'dist/client') },
    attach: () => undefined,
    close: renderer.close,
  };
}

async function serveWithVite(root: string): Promise<Serving> {
  const { createViteDevServer } = await import('./render/vite-dev-server.ts');
  return createViteDevServer(root);
}

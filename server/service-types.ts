import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { SiteApi } from '#shared/site-api.ts';
import type { ContentCache } from './cache/content-cache.ts';
import type { DependencyTracker } from './cache/dependencies/dependency-tracker.ts';
import type { Cdn } from './cdn/cdn.ts';
import type { Config } from './config/config.ts';
import type { CacheQueries } from './content/cache-queries.ts';
import type { FrontCache } from './http/front-cache.ts';
import type { Readiness } from './http/health.ts';
import type { LoadMonitor } from './http/load-shedding.ts';
import type { RateLimitStores } from './http/rate-limit.ts';
import type { RequestGuard } from './http/request-guard.ts';
import type { ErrorPage } from './http/response/error-page.ts';
import type { Headers } from './http/response/security-headers.ts';
import type { SendResponse } from './http/response/send-response.ts';
import type { OnResponse } from './http/response-observer.ts';
import type { RouteTable } from './http/route-table.ts';
import type { ImageService } from './images/image-service.ts';
import type { Metrics } from './ops/metrics/record-metrics.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { PageResponses, ResponseExtra } from './render/page-responses.ts';
import type { ViteMiddlewares } from './render/page-source.ts';
import type { PageTable } from './render/page-table.ts';
import type { ResponseCache } from './render/response-cache/response-cache.ts';
import type { SharedAssets } from './render/shared-assets.ts';
import type { Site } from './site/site.ts';
import type { Clock } from './time.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { ViewCounter } from './views/view-counter.ts';

/**
 * All services of the app. `bootstrap.ts` makes them; `app.ts` passes them to each plugin as its options, of which the
 * plugin's own options type names what it uses (`docs/decisions/0033`).
 */
export interface Services {
  config: Config;
  logger: Logger;
  clock: Clock;
  site: Site;

  // Requests and responses
  headers: () => Headers;
  errorPage: ErrorPage;
  nextId: () => string;
  clientIpOf: (request: IncomingMessage) => string;
  guard: RequestGuard;
  frontCache: FrontCache;
  rateLimitStores: RateLimitStores;
  loadMonitor: LoadMonitor;
  readiness: Readiness;
  sendResponse: SendResponse;
  routeTable: RouteTable;
  onResponse: OnResponse;
  tracing: Tracing;
  metrics: Metrics;
  cdn: Pick<Cdn, 'headers'> | null;

  // Content and pages
  cache: ContentCache;
  queries: CacheQueries;
  createSiteApi: (tracker: DependencyTracker) => SiteApi;
  /** The response cache. Sheds what is not cached while the server is overloaded. */
  responses: Pick<ResponseCache<ResponseExtra>, 'get' | 'drop'>;
  pages: PageResponses;
  pageTable: PageTable;

  // What readers send
  outbox: Pick<Outbox, 'submit'>;
  views: ViewCounter;

  // Files
  /** The folder of the built client; null in development. */
  clientDir: string | null;
  /** The hashed files of all builds; null where they are not shared. */
  sharedAssets: Pick<SharedAssets, 'folder'> | null;
  /** Serves the client in development; null otherwise. */
  viteMiddlewares: ViteMiddlewares | null;
  /** Resizes images; null where browsers ask the image host itself. */
  images: ImageService | null;
}

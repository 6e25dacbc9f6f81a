import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { apiRoutes } from './api/api-routes.ts';
import { openApi } from './api/openapi.ts';
import { cdnHeaders } from './cdn/cdn-headers.ts';
import { calendarRoutes } from './feeds/calendar-routes.ts';
import { feedRoutes } from './feeds/feed-routes.ts';
import { sitemapRoutes } from './feeds/sitemap-routes.ts';
import { wellKnownFileRoutes } from './feeds/well-known-file-routes.ts';
import { formRoutes } from './forms/form-routes.ts';
import { canonicalRedirect } from './http/canonical-redirect.ts';
import { healthRoutes } from './http/health.ts';
import { closeIdleConnections, emptyBody } from './http/http-server.ts';
import { rateLimit } from './http/rate-limit.ts';
import { closeRefused } from './http/refusals.ts';
import { createFrameworkErrorHandler, errorHandler } from './http/response/error-handler.ts';
import { securityHeaders } from './http/response/security-headers.ts';
import { responseObserver } from './http/response-observer.ts';
import { SCHEMAS_DOCUMENT } from './http/route-schemas.ts';
import { firstValues } from './http/route-table.ts';
import { webVitalsRoutes } from './http/web-vitals-routes.ts';
import { imageRoutes } from './images/image-routes.ts';
import { assetRoutes, viteClient } from './render/asset-routes.ts';
import { pageRoutes, searchRedirectRoutes } from './render/page-routes.ts';
import type { Services } from './service-types.ts';
import { siteFolderRoutes } from './site/site-folder-routes.ts';
import { requestSpans } from './tracing/tracing.ts';

/** Forms have their own. */
const BODY_LIMIT = 16 * 1024;
/** The default, 100, is too short for slugs. */
const MAX_PARAM_LENGTH = 512;

/** Builds the Fastify app: plugins in the order in which they act, with options from the services. Never listens. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { frontCache, guard, loadMonitor, routeTable } = services;
  const loggerInstance: FastifyBaseLogger = services.logger;

  // The front cache serves cache hits before Fastify. Timeouts are those of its server (`http-server.ts`).
  const app = Fastify({
    serverFactory: frontCache,
    clientErrorHandler: guard.onClientError,
    frameworkErrors: createFrameworkErrorHandler(services),
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request would cost every request; log lines name the id themselves.
    childLoggerFactory: (parent) => parent,
    genReqId: services.nextId,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    return503OnClosing: false,
    schemaController: SCHEMAS_DOCUMENT,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, querystringParser: firstValues },
  });
  // No client needs it, and a cross-site form could send it without a CORS preflight.
  app.removeContentTypeParser('text/plain');

  // Hooks and handlers of all routes: wrapped by fastify-plugin, they join the root.
  await app.register(requestSpans, services);
  await app.register(responseObserver, services);
  await app.register(closeIdleConnections);
  await app.register(emptyBody);
  await app.register(securityHeaders, services);
  await app.register(closeRefused);
  await app.register(cdnHeaders, services);
  await app.register(rateLimit, services);
  await app.register(loadMonitor.plugin);
  await app.register(errorHandler, services);
  await app.register(siteFolderRoutes, services);
  await app.register(canonicalRedirect);
  await app.register(viteClient, services);
  await app.register(openApi, services);
  await app.register(routeTable.collector);

  // Routes: each plugin in a context of its own.
  await app.register(pageRoutes, services);
  await app.register(calendarRoutes, services);
  await app.register(searchRedirectRoutes);
  await app.register(apiRoutes, services);
  await app.register(formRoutes, services);
  await app.register(webVitalsRoutes, services);
  await app.register(feedRoutes, services);
  await app.register(sitemapRoutes, services);
  await app.register(wellKnownFileRoutes, services);
  await app.register(healthRoutes, services);
  await app.register(imageRoutes, services);
  await app.register(assetRoutes, services);
  await app.register(routeTable.otherMethods);

  return app;
}

import type { Cdn } from '#server/cdn/cdn.ts';
import { createAccessLog } from '#server/http/access-log.ts';
import { createCachedRoutes } from '#server/http/cached-routes.ts';
import { createFrontCache } from '#server/http/front-cache.ts';
import { createRequestGuard } from '#server/http/guard/request-guard.ts';
import { HEALTH_CHECK_PATHS } from '#server/http/health/health-routes.ts';
import type { OnResponse } from '#server/http/on-response.ts';
import { createClientIp, createClientIpHeader } from '#server/http/proxies/client-ip.ts';
import { createOriginSecretCheck } from '#server/http/proxies/origin-secret.ts';
import { createReadLimit } from '#server/http/rate-limit/rate-limit.ts';
import { RateLimitStore } from '#server/http/rate-limit/rate-limit-store.ts';
import { createRequestId } from '#server/http/request-id.ts';
import { createErrorPage } from '#server/http/response/error-page.ts';
import { createSecurityHeaders } from '#server/http/response/security-headers.ts';
import { createSendResponse } from '#server/http/response/send-response.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import { RENDER_TIMEOUT_MS } from '#server/render/render-thread.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { Services } from '#server/service-types.ts';

export interface HttpServicesDeps
  extends Pick<Services, 'config' | 'logger' | 'rateLimitStores' | 'site' | 'tracing' | 'views'> {
  cdn: Pick<Cdn, 'headers'> | null;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Whether Vite serves the client. */
  development: boolean;
  /** Tags for the head of a page. */
  headTags: () => string;
  metrics: { observeResponse: OnResponse };
  responses: Pick<ResponseCache<ResponseExtra>, 'cached' | 'identityBody'>;
}

/** Makes the services that read requests and write responses, those of the front cache among them. */
export function createHttpServices(deps: HttpServicesDeps) {
  const { config, logger, clock, development, headTags, metrics, rateLimitStores, responses, views } = deps;
  const { cdn, site, tracing } = deps;
  const logAccess = createAccessLog(logger, { hitSample: config.logSample, clock });
  const onResponse: OnResponse = (completed) => {
    if (completed.route !== undefined && HEALTH_CHECK_PATHS.has(completed.route)) return;
    logAccess(completed);
    metrics.observeResponse(completed);
  };
  const createHeaders = () =>
    createSecurityHeaders({
      ...config,
      development,
      noIndex: config.siteNoIndex,
      csp: site.folder()?.csp ?? {},
    });
  let ownHeaders = createHeaders();
  // What the CDN may keep says so itself.
  let allHeaders = { ...ownHeaders, ...cdn?.headers.noStore };
  site.onChange(() => {
    ownHeaders = createHeaders();
    allHeaders = { ...ownHeaders, ...cdn?.headers.noStore };
  });
  const headers = () => allHeaders;
  const nextId = createRequestId();
  const clientIpOf = createClientIp(config.trustProxy);
  const parts = {
    clientIpOf,
    guard: createRequestGuard({
      headers,
      nextId,
      onResponse,
      clientIpOf,
      // A bucket of its own, as large as that of reads, which it does not touch.
      allowsRefused: createReadLimit(config.rateLimit, { read: new RateLimitStore({ clock }) }),
      isThroughCdn: createOriginSecretCheck(config.originSecret),
    }),
    nextId,
    onResponse,
    tracing,
    takeClientIp: createClientIpHeader(config.trustProxy, config.clientIpHeader),
    sendResponse: createSendResponse(() => ownHeaders, responses.identityBody, cdn?.headers),
  };
  const allows = createReadLimit(config.rateLimit, rateLimitStores);
  const errorPage = createErrorPage(headTags, site.settings);
  const maxResponseMs = config.upstreamTimeoutMs + RENDER_TIMEOUT_MS;
  return {
    ...parts,
    maxResponseMs,
    headers,
    errorPage,
    cachedRoutes: createCachedRoutes(),
    frontCache: createFrontCache({
      ...parts,
      allows,
      maxResponseMs,
      responses,
      views,
    }),
  };
}

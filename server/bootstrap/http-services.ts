import { createAccessLog } from '#server/http/access-log.ts';
import { createClientIp } from '#server/http/client-ip.ts';
import { createFrontCache } from '#server/http/front-cache.ts';
import { HEALTH_CHECK_PATHS } from '#server/http/health.ts';
import { createRateLimitStore, createReadLimit } from '#server/http/rate-limit.ts';
import { createOriginSecretCheck, createRequestGuard } from '#server/http/request-guard.ts';
import { createErrorPage } from '#server/http/response/error-page.ts';
import { createSecurityHeaders } from '#server/http/response/security-headers.ts';
import { createSendResponse } from '#server/http/response/send-response.ts';
import { createRequestId, type OnResponse } from '#server/http/response-observer.ts';
import { createRouteTable } from '#server/http/route-table.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import { RENDER_TIMEOUT_MS } from '#server/render/render-queue.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { Services } from '#server/service-types.ts';

export interface HttpServicesDeps
  extends Pick<
    Services,
    'cdn' | 'clock' | 'config' | 'logger' | 'metrics' | 'rateLimitStores' | 'site' | 'tracing' | 'views'
  > {
  development: boolean;
  headTags: () => string;
  responses: Pick<ResponseCache<ResponseExtra>, 'cached' | 'identityBody'>;
}

/** Makes the services that read requests and write responses, those of the front cache among them. */
export function createHttpServices(deps: HttpServicesDeps) {
  const { config, logger, clock, development, headTags, metrics, rateLimitStores, responses } = deps;
  const { cdn, site } = deps;
  const logAccess = createAccessLog(logger, { hitSample: config.logSample, clock });
  const onResponse: OnResponse = (completed) => {
    if (completed.route !== undefined && HEALTH_CHECK_PATHS.has(completed.route)) return;
    logAccess(completed);
    metrics.observeResponse(completed);
  };
  function createHeaders() {
    const csp = site.folder()?.csp ?? {};
    const common = createSecurityHeaders({ ...config, development, noIndex: config.siteNoIndex, csp });
    // A cached response says itself how long a CDN may keep it.
    return { common, uncached: { ...common, ...cdn?.headers.noStore } };
  }
  let made = createHeaders();
  site.onChange(() => {
    made = createHeaders();
  });
  const headers = () => made.uncached;
  const nextId = createRequestId();
  const clientIpOf = createClientIp(config.trustProxy, config.clientIpHeader);
  const guard = createRequestGuard({
    headers,
    nextId,
    onResponse,
    clientIpOf,
    // A bucket of its own, as large as that of reads, which it does not touch.
    allowsRefused: createReadLimit(config.rateLimit, { read: createRateLimitStore(clock) }),
    isThroughCdn: createOriginSecretCheck(config.originSecret),
  });
  const sendResponse = createSendResponse(() => made.common, responses.identityBody, cdn?.headers);
  const maxResponseMs = config.upstreamTimeoutMs + RENDER_TIMEOUT_MS;
  const allows = createReadLimit(config.rateLimit, rateLimitStores);
  const services = { guard, clientIpOf, nextId, maxResponseMs, sendResponse, onResponse };
  return {
    ...services,
    errorPage: createErrorPage(headTags, site.settings),
    frontCache: createFrontCache({ ...deps, ...services, allows }),
    headers,
    routeTable: createRouteTable(),
  };
}

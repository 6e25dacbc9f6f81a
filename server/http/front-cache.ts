import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { CacheName } from '#server/cache/cache-status.ts';
import { PAGES_ROUTE } from '#server/ops/metrics/route-label.ts';
import type { ResponseExtra } from '#server/render/pages.ts';
import type { CachedLookUp, ResponseCache } from '#server/render/response-cache.ts';
import type { SendResponse } from '#server/render/send-response.ts';
import type { ApiCacheKeys } from '#server/routes/api/api-cache-keys.ts';
import type { ViewCounter } from '#server/views/view-counter.ts';
import { afterResponse } from './after-response.ts';
import type { RequestGuard } from './guard/request-guard.ts';
import { createHttpServer } from './http-server.ts';
import type { OnResponse } from './on-response.ts';

export interface FrontCacheDeps {
  guard: RequestGuard;
  responses: Pick<ResponseCache<ResponseExtra>, 'cached'>;
  apiCacheKeys: Pick<ApiCacheKeys, 'get'>;
  clientIpOf: (request: IncomingMessage) => string;
  /** Counts a read of a client; false where it is one too many. */
  allows: (ip: string) => boolean;
  nextId: () => string;
  views: Pick<ViewCounter, 'beforePage' | 'afterPage'>;
  sendResponse: SendResponse;
  onResponse: OnResponse;
}

export interface FrontCache {
  /** Fastify's option of that name. */
  serverFactory(routed: RequestListener): Server;
  /** Leaves all requests to Fastify from now on, which closes their connections. */
  close(): void;
}

interface CacheHit {
  served: CachedLookUp<ResponseExtra>;
  cacheName: CacheName;
  route: string;
}

/**
 * Front cache: serves cached responses from Node's request event, before Fastify routes the request. All other requests
 * go on to Fastify: misses, other methods, requests with a body, and clients that have asked too often.
 */
export function createFrontCache(deps: FrontCacheDeps): FrontCache {
  const { guard, responses, apiCacheKeys, clientIpOf, allows, nextId, views, sendResponse, onResponse } =
    deps;
  let isClosed = false;

  function lookUp({ method, url: target = '', headers }: IncomingMessage): CacheHit | null {
    if (method !== 'GET' && method !== 'HEAD') return null;
    // A body may still turn out to be malformed, and a second response must not follow this one then.
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return null;
    const page = responses.cached(target);
    if (page) return { served: page, cacheName: 'page', route: PAGES_ROUTE };
    const asked = apiCacheKeys.get(target);
    const served = asked && responses.cached(asked.key);
    return served ? { served, cacheName: 'data', route: asked.route } : null;
  }

  function listenerBefore(routed: RequestListener): RequestListener {
    return (request, response) => {
      const began = performance.now();

      // 1. The request target: a path from here on, or refused.
      if (!guard.admit(request, response)) return;

      // 2. Look-up.
      const hit = isClosed ? null : lookUp(request);

      // 3. Rate limit.
      const ip = hit === null ? '' : clientIpOf(request);
      if (hit === null || !allows(ip)) {
        guard.follow(response);
        routed(request, response);
        return;
      }

      // 4. Headers and body.
      const { method = '', url: target = '', headers } = request;
      const id = nextId();
      views.beforePage(target, ip);
      sendResponse(response, { id, headers }, hit.served, hit.cacheName);

      // 5. After the response: access log, metrics, view count.
      afterResponse(response, (at) => {
        const status = response.statusCode;
        onResponse({ id, method, target, route: hit.route, status, ms: at - began });
        views.afterPage(hit.served.extra.viewOf, { method, status, headers }, ip);
      });
    };
  }

  return {
    serverFactory: (routed) => createHttpServer(guard, listenerBefore(routed)),
    close: () => {
      isClosed = true;
    },
  };
}

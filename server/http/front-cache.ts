import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { CacheName } from '#server/cache/cache-status.ts';
import { PAGES_ROUTE } from '#server/ops/metrics/route-label.ts';
import type { AnswerExtra } from '#server/render/pages.ts';
import type { AnswerCache, Standing } from '#server/render/response-cache.ts';
import type { SendAnswer } from '#server/render/send-response.ts';
import type { ApiTargets } from '#server/routes/api/api-cache-keys.ts';
import type { PageViews } from '#server/views/page-views.ts';
import { onceSent } from './after-response.ts';
import type { RequestGuard } from './guard/request-guard.ts';
import { createHttpServer } from './http-server.ts';
import type { OnAnswered } from './on-response.ts';

export interface FrontCacheDeps {
  guard: RequestGuard;
  answers: Pick<AnswerCache<AnswerExtra>, 'standing'>;
  apiTargets: Pick<ApiTargets, 'get'>;
  addressOf: (request: IncomingMessage) => string;
  /** Counts a read of a client; false where it is one too many. */
  allows: (ip: string) => boolean;
  nextId: () => string;
  views: PageViews;
  sendAnswer: SendAnswer;
  onAnswered: OnAnswered;
}

export interface FrontCache {
  /** Fastify's option of that name. */
  serverFactory(routed: RequestListener): Server;
  /** Leaves all requests to Fastify from now on, which closes their connections. */
  close(): void;
}

interface CacheHit {
  served: Standing<AnswerExtra>;
  cacheName: CacheName;
  route: string;
}

/**
 * Front cache: serves cached responses from Node's request event, before Fastify routes the request. All other requests
 * go on to Fastify: misses, other methods, requests with a body, and clients that have asked too often.
 */
export function createFrontCache(deps: FrontCacheDeps): FrontCache {
  const { guard, answers, apiTargets, addressOf, allows, nextId, views, sendAnswer, onAnswered } = deps;
  let isClosed = false;

  function lookUp({ method, url: target = '', headers }: IncomingMessage): CacheHit | null {
    if (method !== 'GET' && method !== 'HEAD') return null;
    // A body may still turn out to be malformed, and a second response must not follow this one then.
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return null;
    const page = answers.standing(target);
    if (page) return { served: page, cacheName: 'page', route: PAGES_ROUTE };
    const asked = apiTargets.get(target);
    const served = asked && answers.standing(asked.key);
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
      const ip = hit === null ? '' : addressOf(request);
      if (hit === null || !allows(ip)) {
        guard.follow(response);
        routed(request, response);
        return;
      }

      // 4. Headers and body.
      const { method = '', url: target = '', headers } = request;
      const id = nextId();
      views.before(target, ip);
      sendAnswer(response, { id, headers }, hit.served, hit.cacheName);

      // 5. After the response: access log, metrics, view count.
      onceSent(response, (at) => {
        const status = response.statusCode;
        onAnswered({ id, method, target, route: hit.route, status, ms: at - began });
        views.after(hit.served.extra.viewOf, { method, status, headers }, ip);
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

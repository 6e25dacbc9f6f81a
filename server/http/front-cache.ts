import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { cacheResultOf } from '#server/cache/cache-status.ts';
import { PROBLEM_CONTENT_TYPE, problemOf } from '#server/problem-details.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { Services } from '#server/service-types.ts';
import type { Clock } from '#server/time.ts';
import { API_PREFIX } from '#shared/site-api.ts';
import { createHttpServer } from './http-server.ts';
import { CLIENT_CLOSED_REQUEST } from './response-observer.ts';

export interface FrontCacheDeps
  extends Pick<Services, 'clientIpOf' | 'clock' | 'guard' | 'nextId' | 'onResponse' | 'sendResponse'> {
  responses: Pick<ResponseCache<ResponseExtra>, 'cached'>;
  allows: (ip: string) => boolean;
  /** After this a response of Fastify has begun, in milliseconds. */
  maxResponseMs: number;
  views: Pick<Services['views'], 'beforePage' | 'afterPage'>;
  tracing: Pick<Services['tracing'], 'startRequest'>;
  logger: { error(fields: object, message: string): void };
}

/** Fastify's `serverFactory`. */
export type FrontCache = (routed: RequestListener) => Server;

/**
 * Front cache: serves cached responses from Node's request event, before Fastify routes the request. All other requests
 * go on to Fastify: misses, other methods, requests with a body, and clients that have exceeded the rate limit.
 */
export function createFrontCache(deps: FrontCacheDeps): FrontCache {
  const { clock, guard, responses, clientIpOf, allows, nextId } = deps;
  const { maxResponseMs, views, sendResponse, onResponse, tracing, logger } = deps;
  const logError = (error: unknown) => logger.error({ err: error }, 'a request failed in the front cache');
  const afterResponse = createAfterResponse(clock, logError);

  function lookUp({ method, url: target = '', headers }: IncomingMessage) {
    if (method !== 'GET' && method !== 'HEAD') return null;
    // A body may still turn out to be malformed, and a second response must not follow this one then.
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return null;
    return responses.cached(target);
  }

  function listenerBefore(routed: RequestListener): RequestListener {
    return (request, response) => {
      const began = clock.monotonic();
      if (!guard.admit(request, response)) return;

      const hit = lookUp(request);
      const ip = hit === null ? '' : clientIpOf(request);
      if (hit === null || !allows(ip)) {
        guard.follow(response);
        routed(request, response);
        return;
      }

      const { method = '', url: target = '', headers } = request;
      const id = nextId();
      views.beforePage(target, ip);
      sendResponse(response, { id, headers }, hit, target.startsWith(API_PREFIX) ? 'data' : 'page');
      // It waits behind another response of its connection.
      if (response.socket === null) guard.follow(response);

      const { route, viewOf } = hit.extra;
      afterResponse(response, (ended, isAborted) => {
        const status = isAborted ? CLIENT_CLOSED_REQUEST : response.statusCode;
        const span = tracing.startRequest(request, began);
        span.end(route, status, ended);
        const cacheResult = cacheResultOf(hit.outcome);
        onResponse({ id, method, target, route, status, cacheResult, ms: ended - began, trace: span.fields });
        span.run(() => views.afterPage(viewOf, { method, status, headers }, ip));
      });
    };
  }

  /** Fastify catches what its handlers throw; here an exception would end the process. */
  function protect(listener: RequestListener): RequestListener {
    return (request, response) => {
      try {
        listener(request, response);
      } catch (error) {
        logError(error);
        if (response.headersSent) return void response.destroy();
        const headers = { 'cache-control': 'no-store', 'content-type': PROBLEM_CONTENT_TYPE };
        response.writeHead(500, headers).end(JSON.stringify(problemOf(error)));
      }
    };
  }

  return (routed) => createHttpServer(guard, protect(listenerBefore(routed)), maxResponseMs);
}

/** Work that follows a response. `at`: when it had left or its client was gone, monotonic milliseconds. */
type AfterResponse = (at: number, isAborted: boolean) => void;

/**
 * Returns a function that runs `work` once a response that has just been ended has left the process, or its client has
 * disconnected before. Nearly all have left by the end of the event loop's turn, and a listener for each would cost an
 * eighth of a cache hit: only those that a slow client holds up get one. One immediate for all responses of a turn, because
 * one for each costs a twentieth. `onError`: gets what `work` throws.
 */
export function createAfterResponse(clock: Clock, onError: (error: unknown) => void) {
  let pending: { response: ServerResponse; at: number; work: AfterResponse }[] = [];

  function run(work: AfterResponse, at: number, isAborted: boolean): void {
    try {
      work(at, isAborted);
    } catch (error) {
      onError(error);
    }
  }

  function runPending(): void {
    const all = pending;
    pending = [];
    for (const { response, at, work } of all) {
      if (response.writableFinished) run(work, at, false);
      else if (response.closed) run(work, at, true);
      else response.once('close', () => run(work, clock.monotonic(), !response.writableFinished));
    }
  }

  return function afterResponse(response: ServerResponse, work: AfterResponse): void {
    if (pending.push({ response, at: clock.monotonic(), work }) === 1) setImmediate(runPending);
  };
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { cacheResultOf } from '#server/cache/cache-status.ts';
import type { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import { buildCachedResponse } from '#server/render/response-cache/encoded-bodies.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { Tracing } from '#server/tracing/tracing.ts';
import type { SendResponse } from './send-response.ts';

export interface SendCachedTextDeps {
  responses: Pick<ResponseCache<ResponseExtra>, 'get'>;
  sendResponse: SendResponse;
  tracing: Pick<Tracing, 'child'>;
}

/**
 * Returns a function that sends a text built from upstream data, from the response cache. `key`: of the cached response,
 * built from parsed parameters and never from the request's own target. `type`: content type.
 */
export function createSendCachedText({ responses, sendResponse, tracing }: SendCachedTextDeps) {
  return async function sendCachedText(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, type }: { key: string; type: string },
    build: (tracker: DependencyTracker) => Promise<string>,
  ): Promise<FastifyReply> {
    // For problems. A response from the cache has its own.
    reply.cacheResult = 'miss';
    reply.header('cache-status', 'data; fwd=miss');
    const served = await responses.get(key, async (tracker) => {
      const text = await build(tracker);
      return {
        kind: 'response',
        response: await tracing.child('compress', {}, () => buildCachedResponse(200, type, text)),
        extra: { route: request.routeOptions.url, page: null, viewOf: null },
      };
    });
    if (served.kind !== 'response') throw new Error('a text is neither redirected nor missing');
    reply.cacheResult = cacheResultOf(served.outcome);
    sendResponse(reply.hijack().raw, request, served, 'data');
    return reply;
  };
}

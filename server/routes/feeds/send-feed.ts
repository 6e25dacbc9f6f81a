import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { createDeadline } from '#server/content/deadline.ts';
import type { SendResponse } from '#server/http/response/send-response.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import { buildCachedResponse } from '#server/render/response-cache/cached-response.ts';
import { feedKey, type ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { Tracing } from '#server/tracing/tracing.ts';

/** Options of a route whose responses are sent by `createSendFeed`. */
export const CACHED_FEED: { config: Pick<FastifyContextConfig, 'cached'> } = {
  config: { cached: { kind: 'feed' } },
};

export interface SendFeedDeps {
  responses: Pick<ResponseCache<ResponseExtra>, 'get'>;
  sendResponse: SendResponse;
  tracing: Pick<Tracing, 'child'>;
}

/**
 * Returns a function that sends a text built from upstream data, from the response cache. `path`: the canonical path,
 * built from parsed parameters and never from the request's own target; it is the cache key.
 */
export function createSendFeed({ responses, sendResponse, tracing }: SendFeedDeps) {
  return async function sendFeed(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    type: string,
    build: (tracker: DependencyTracker) => Promise<string>,
  ): Promise<FastifyReply> {
    const served = await responses.get(feedKey(path), async (tracker) => {
      const text = await build(tracker);
      return {
        kind: 'response',
        response: await tracing.child('compress', {}, () => buildCachedResponse(200, type, text)),
        extra: { route: request.routeOptions.url, page: null, viewOf: null },
      };
    });
    if (served.kind !== 'response') throw new Error('a feed is neither redirected nor missing');
    reply.isCacheHit = served.outcome.forward === null;
    sendResponse(reply.hijack().raw, request, served, 'data');
    return reply;
  };
}

/**
 * Returns a function that waits for a list of a text. A list that fails, or takes longer than `deadlineMs` counted from
 * now, is replaced by `fallback`; the text is then short-lived.
 */
export function listsWithin(deadlineMs: number, tracker: DependencyTracker) {
  const deadline = createDeadline(deadlineMs);
  return async <T>(list: Promise<T>, fallback: T): Promise<T> =>
    (await deadline.within(list, () => tracker.markIncomplete())) ?? fallback;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DependencyTracker } from '#server/cache/dependency-tracker.ts';
import { createDeadline } from '#server/content/deadline.ts';
import { buildCachedResponse } from '#server/render/cached-response.ts';
import type { ResponseExtra } from '#server/render/pages.ts';
import type { ResponseCache } from '#server/render/response-cache.ts';
import type { SendResponse } from '#server/render/send-response.ts';

export interface SendFeedDeps {
  responses: Pick<ResponseCache<ResponseExtra>, 'get'>;
  sendResponse: SendResponse;
}

/**
 * Sends a text made of upstream data, kept like a page. `path`: its canonical path, made of parsed parameters and never
 * of the request's own spelling; it is the key.
 */
export function createSendFeed({ responses, sendResponse }: SendFeedDeps) {
  return async function sendText(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    type: string,
    make: (tracker: DependencyTracker) => Promise<string>,
  ): Promise<FastifyReply> {
    const served = await responses.get(`feed ${path}`, async (tracker) => {
      const text = await make(tracker);
      return {
        kind: 'response',
        response: await buildCachedResponse(200, type, text),
        extra: { viewOf: null },
      };
    });
    if (served.kind !== 'response') throw new Error('a text is an answer');
    sendResponse(reply.hijack().raw, request, served, 'data');
    return reply;
  };
}

/**
 * The lists that one text is made of. One that cannot be had, or not within `deadlineMs` of the first, is left out; the
 * text is then made anew soon.
 */
export function listsWithin(deadlineMs: number, tracker: DependencyTracker) {
  const deadline = createDeadline(deadlineMs);
  return async <T>(list: Promise<T>, standIn: T): Promise<T> =>
    (await deadline.within(list, () => tracker.markIncomplete())) ?? standIn;
}

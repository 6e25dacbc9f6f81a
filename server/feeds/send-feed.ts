import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { createDeadline } from '#server/content/section-deadline.ts';
import { createSendText, type SendTextDeps } from '#server/http/response/send-text.ts';
import { feedKey } from '#server/render/response-cache/response-cache.ts';

/** Options of a route whose responses are sent by `createSendFeed`. */
export const CACHED_FEED: { config: Pick<FastifyContextConfig, 'cached'> } = {
  config: { cached: { kind: 'feed' } },
};

/** Returns a function that sends a feed. `path`: the canonical one, built from parsed parameters; it is the cache key. */
export function createSendFeed(deps: SendTextDeps) {
  const sendText = createSendText(deps);
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    type: string,
    build: (tracker: DependencyTracker) => Promise<string>,
  ): Promise<FastifyReply> => sendText(request, reply, { key: feedKey(path), type }, build);
}

/**
 * Returns a function that waits for a list of a text. A list that fails, or takes longer than `deadlineMs` counted from
 * now, is replaced by `fallback`; the text is then short-lived.
 */
export function listsWithin(deadlineMs: number, tracker: DependencyTracker) {
  const deadline = createDeadline(deadlineMs, deadlineMs);
  return async <T>(list: Promise<T>, fallback: T): Promise<T> =>
    (await deadline.optional(list, () => tracker.markIncomplete(list))) ?? fallback;
}

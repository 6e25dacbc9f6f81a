import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { Overloaded, problemOf } from '#server/errors.ts';
import { countRead, type RateLimits } from '#server/http/rate-limit/rate-limit.ts';
import { PROBLEM_CONTENT_TYPE, type Problem, problem } from '#server/problem-details.ts';
import { site } from '#shared/site.ts';
import type { Headers } from './security-headers.ts';

/** The error of @fastify/static for a range that a file does not have. */
const UnsatisfiableRange = z.object({ headers: z.object({ 'Content-Range': z.string() }) });

/** The error of a stream that was destroyed before its end. */
const AbortedStream = z.object({ code: z.literal('ERR_STREAM_PREMATURE_CLOSE') });

/** Sets the responses to errors and to unknown routes. */
export const errorHandler = fp(
  async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(sendError);
    app.setNotFoundHandler(sendNotFound);
  },
  { name: 'error-handler' },
);

/**
 * Returns Fastify's `frameworkErrors`: responds to requests that the router rejects. No hook runs for them, so it sets
 * the headers of every response and counts the read itself.
 */
export function createFrameworkErrorHandler({ headers, limits }: { headers: Headers; limits: RateLimits }) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({ ...headers, 'x-request-id': request.id });
    countRead(limits, request, reply).then(
      () => sendError(error, request, reply),
      (refusal: unknown) => sendError(refusal, request, reply),
    );
  };
}

/** Sends an error as a problem (RFC 9457), or as a plain page to a browser. Internals of an error are never shown. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const response = problemOf(error);
  // Shed requests are in the metrics: a log line for each would add to the load.
  if (response.status >= 500 && !(error instanceof Overloaded)) {
    const level = isAbortedStream(error, request) ? 'debug' : 'error';
    request.log[level]({ reqId: request.id, err: error }, 'request failed');
  }
  if (response.status === 416) {
    const { data } = UnsatisfiableRange.safeParse(error);
    if (data) reply.header('content-range', data.headers['Content-Range']);
  }
  return sendProblem(request, reply, response);
}

/** Whether a file or picture was not sent because the client closed its connection, as browsers do on navigation. */
function isAbortedStream(error: unknown, { socket }: FastifyRequest): boolean {
  return socket.destroyed && AbortedStream.safeParse(error).success;
}

/** Responds 404 to what no route takes. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendProblem(request, reply, problem(404, 'There is nothing at this address.'));
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, response: Problem): FastifyReply {
  reply.code(response.status).header('cache-control', 'no-store');
  if (response.status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '5');
  // A CDN keeps a 404 for a moment.
  if (!isApi(request)) reply.header('vary', 'Accept');
  if (wantsPage(request)) return reply.type('text/html; charset=utf-8').send(plainPage(response));
  return reply.type(PROBLEM_CONTENT_TYPE).send(JSON.stringify(response));
}

function wantsPage(request: FastifyRequest): boolean {
  return !isApi(request) && request.headers.accept?.includes('text/html') === true;
}

function isApi({ url }: FastifyRequest): boolean {
  return url.startsWith('/api/');
}

/** Nothing is escaped: title and detail are our own text. */
function plainPage({ title, status, detail }: Problem): string {
  return `<!DOCTYPE html><html lang="${site.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} | ${site.name}</title></head><body><main><h1>${status}: ${title}</h1><p>${detail}</p><p><a href="/">Go to the home page</a></p></main></body></html>`;
}

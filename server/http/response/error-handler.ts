import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { DeliveryFailed, NotFound, Overloaded } from '#server/errors.ts';
import { isFormPost } from '#server/forms/form-schemas.ts';
import { countRead } from '#server/http/rate-limit.ts';
import { type Problem, problemOf, RETRY_AFTER_S, sendProblem } from '#server/problem-details.ts';
import type { Services } from '#server/service-types.ts';
import { API_PREFIX } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import { qualityValues } from './content-negotiation.ts';
import type { ErrorPage } from './error-page.ts';

/** The error of @fastify/static for a range that a file does not have. */
const UnsatisfiableRange = z.object({ headers: z.object({ 'Content-Range': z.string() }) });

/** The error of a stream that was destroyed before its end. */
const AbortedStream = z.object({ code: z.literal('ERR_STREAM_PREMATURE_CLOSE') });

/** Sets the responses to errors and to unknown routes. */
export const errorHandler = fp(
  async (app: FastifyInstance, { errorPage }: { errorPage: ErrorPage }): Promise<void> => {
    const sendError = createSendError(errorPage);
    app.setErrorHandler(sendError);
    app.setNotFoundHandler((request, reply) => sendError(new NotFound(), request, reply));
  },
  { name: 'error-handler' },
);

/**
 * Returns Fastify's `frameworkErrors`: responds to requests that the router rejects. No hook runs for them, so it sets
 * the headers of every response, counts the read, reports the response and ends the connection itself.
 */
export function createFrameworkErrorHandler(
  services: Pick<Services, 'config' | 'errorPage' | 'headers' | 'onResponse'>,
) {
  const { headers, config, errorPage, onResponse } = services;
  const sendError = createSendError(errorPage);
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const { id, method, url: target } = request;
    reply.headers({ ...headers(), 'x-request-id': id, connection: 'close' });
    reply.raw.once('finish', () => {
      const { statusCode: status, elapsedTime: ms } = reply;
      onResponse({ id, method, target, status, refusedBy: status === 429 ? 'read' : null, ms });
    });
    countRead(config.rateLimit, request, reply).then(
      () => sendError(error, request, reply),
      (refusal: unknown) => sendError(refusal, request, reply),
    );
  };
}

/**
 * Returns a function that sends an error as a problem (RFC 9457), or as a page where a person reads it. Internals of an
 * error are never shown.
 */
function createSendError(errorPage: ErrorPage) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemOf(error);
    logFailure(error, problem, request);
    if (problem.status === 416) {
      const { data } = UnsatisfiableRange.safeParse(error);
      if (data) reply.header('content-range', data.headers['Content-Range']);
    }
    reply.code(problem.status).header('cache-control', 'no-store');
    if (problem.status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_S);
    // A CDN keeps a 404 for a moment.
    if (!isApi(request)) reply.header('vary', 'Accept');
    if (isForPerson(request))
      return reply.type('text/html; charset=utf-8').send(errorPage(problem, isFormPost(request)));
    return sendProblem(reply, problem);
  };
}

function logFailure(error: unknown, { status, detail }: Problem, request: FastifyRequest): void {
  // Shed requests are in the metrics: a log line for each would add to the load.
  if (status < 500 || error instanceof Overloaded) return;
  const reqId = request.id;
  // The failed call has a line of its own.
  if (error instanceof SiteError || error instanceof DeliveryFailed)
    request.log.warn({ reqId, status, detail }, 'request failed: the upstream did not respond as it should');
  else
    request.log[isAbortedStream(error, request) ? 'debug' : 'error']({ reqId, err: error }, 'request failed');
}

/** Whether a file or picture was not sent because the client closed its connection, as browsers do on navigation. */
function isAbortedStream(error: unknown, { socket }: FastifyRequest): boolean {
  return socket.destroyed && AbortedStream.safeParse(error).success;
}

/** Whether a request prefers HTML. Of the API's calls only the forms are made by browsers without scripts. */
function isForPerson(request: FastifyRequest): boolean {
  if (isApi(request) && !isFormPost(request)) return false;
  const weights = qualityValues(request.headers.accept ?? '');
  const json = Math.max(weights.get('application/problem+json') ?? 0, weights.get('application/json') ?? 0);
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= json;
}

function isApi({ url }: FastifyRequest): boolean {
  return url.startsWith(API_PREFIX);
}

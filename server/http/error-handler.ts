import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Overloaded, type Problem, problem, problemOf } from '#server/errors.ts';
import { site } from '#shared/site.ts';

/** How @fastify/static rejects a range that a file does not have. */
const UnsatisfiableRange = z.object({ headers: z.object({ 'Content-Range': z.string() }) });

/** Any error's answer: a problem for programs, a plain page for people, never a word of what went wrong inside. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const response = problemOf(error);
  // What is shed is counted with the requests: a line for each would be load of its own.
  if (response.status >= 500 && !(error instanceof Overloaded))
    request.log.error({ reqId: request.id, err: error }, 'request failed');
  if (response.status === 416) {
    const { data } = UnsatisfiableRange.safeParse(error);
    if (data) reply.header('content-range', data.headers['Content-Range']);
  }
  return sendProblem(request, reply, response);
}

/** The answer to a method or a path that no route takes. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendProblem(request, reply, problem(404, 'There is nothing at this address.'));
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, response: Problem): FastifyReply {
  reply.code(response.status).header('cache-control', 'no-store');
  if (response.status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '5');
  if (wantsPage(request)) return reply.type('text/html; charset=utf-8').send(plainPage(response));
  return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(response));
}

function wantsPage({ url, headers }: FastifyRequest): boolean {
  return !url.startsWith('/api/') && headers.accept?.includes('text/html') === true;
}

/** All of its text is ours: a problem's title and detail. */
function plainPage({ title, status, detail }: Problem): string {
  return `<!DOCTYPE html><html lang="${site.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} | ${site.name}</title></head><body><main><h1>${status}: ${title}</h1><p>${detail}</p><p><a href="/">Go to the home page</a></p></main></body></html>`;
}

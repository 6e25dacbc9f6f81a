import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import { BadRequest, type Problem, problem, problemOf } from '#server/errors.ts';

/** Sends a problem (RFC 9457): operators' calls are made by programs. */
export function sendOpsProblem(reply: FastifyReply, response: Problem): FastifyReply {
  return reply
    .code(response.status)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(response));
}

/** Any error's answer, without a word of what went wrong inside. */
export function sendOpsError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const response = problemOf(error);
  if (response.status >= 500) request.log.error({ err: error }, 'request failed');
  return sendOpsProblem(reply, response);
}

/** The answer to a method or a path that no route takes. */
export function sendOpsNotFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendOpsProblem(reply, problem(404, 'There is no such call.'));
}

/** What a schema makes of a value. Throws a `BadRequest` that names each field at fault. */
export function checked<T>(schema: ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => {
    const at = issue.path.join('.') || 'request';
    if (issue.code !== 'unrecognized_keys') return [[at, issue.message]];
    return issue.keys.map((key) => [[...issue.path, key].join('.'), 'There is no such field.']);
  });
  throw new BadRequest('The request is not valid.', Object.fromEntries(errors));
}

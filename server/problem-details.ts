import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { SiteError } from '#shared/site-error.ts';
import { BadRequest, HttpError } from './errors.ts';

/** Media type of problem details (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/** `Content-Type` of a response that is a problem. */
export const PROBLEM_CONTENT_TYPE = `${PROBLEM_TYPE}; charset=utf-8`;

/** A problem (RFC 9457). `errors`: on 400. `goTo`: where the specification sends the reader instead. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    errors: z
      .record(z.string(), z.string())
      .optional()
      .describe('One message for each field that is not valid.'),
    goTo: z.string().optional().describe('Where the site sends a reader instead.'),
  })
  .meta({ id: 'Problem' });

export type Problem = z.infer<typeof Problem>;

/** Reason phrases of RFC 9110 where Node has older ones. */
const RENAMED_PHRASES: Record<number, string> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** Returns the title of a problem of type `about:blank`: the status's reason phrase (RFC 9457, 4.2.1). */
export function titleOf(status: number): string {
  return RENAMED_PHRASES[status] ?? STATUS_CODES[status] ?? 'Error';
}

/** Builds a problem. `detail`: text that a reader may see. */
export function problem(
  status: number,
  detail: string,
  more: Pick<Problem, 'errors' | 'goTo'> = {},
): Problem {
  return { type: 'about:blank', title: titleOf(status), status, detail, ...more };
}

/** Sends a problem, whatever the client accepts. */
export function sendProblem(reply: FastifyReply, details: Problem): FastifyReply {
  return reply.code(details.status).type(PROBLEM_CONTENT_TYPE).send(JSON.stringify(details));
}

/** `Retry-After` of a 503, in seconds. */
export const RETRY_AFTER_S = '5';

const INTERNAL = 'Something went wrong on our side.';

/** Details of Fastify's own errors with a status below 500, by their code. */
const FRAMEWORK_DETAILS: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'This type of body is not accepted here.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body does not have the length it announced.',
  FST_ERR_BAD_URL: 'The address is not valid.',
};

const FrameworkError = z.object({ statusCode: z.int().min(400).max(499), code: z.string().catch('') });

/** Maps an error to a problem: the only place where it is done. The text of an unknown error is never shown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof SiteError)
    return problem(error.status, error.message, error.goTo === null ? {} : { goTo: error.goTo });
  if (error instanceof HttpError) {
    const errors = error instanceof BadRequest ? error.errors : null;
    return problem(error.status, error.message, errors === null ? {} : { errors });
  }
  const { data } = FrameworkError.safeParse(error);
  if (data === undefined) return problem(500, INTERNAL);
  return problem(data.statusCode, FRAMEWORK_DETAILS[data.code] ?? titleOf(data.statusCode));
}

import { type ZodType, z } from 'zod';
import { titleOf } from '#server/errors.ts';
import { ProblemResponse } from './api-schemas.ts';
import type { ApiTag } from './openapi.ts';

/** What OpenAPI says of the API's operations, in the parts that route schemas are made of. */

const PROBLEM_TYPE = 'application/problem+json';

const RETRY_AFTER = {
  'retry-after': { type: 'string', description: 'Seconds until it is worth asking again.' },
};

/** When it comes to this, beyond what the status's phrase says. */
const REASONS: Record<number, string> = {
  400: 'The request is not valid',
  403: 'A page of another site sent it',
  404: 'There is nothing at this address',
  406: 'Accept-Encoding excludes every coding',
  409: 'It is known already',
  413: 'The body is too large',
  415: 'The body is of another media type',
  429: 'Too many requests from one client',
  502: 'The upstream did not take it; it is kept and delivered later',
  503: 'It cannot be had or taken at the moment',
};

/** A response with a body of one media type or several. */
export function response(
  description: string,
  types: Readonly<Record<string, ZodType>>,
  headers: object | null = null,
): object {
  const content = Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]));
  return { description, ...(headers && { headers }), content };
}

/** A response without a body. */
export function emptyResponse(description: string, headers: object | null = null): object {
  return { type: 'null', description, ...(headers && { headers }) };
}

/** Problems (RFC 9457) by status. `others`: media types besides, for statuses that have them. */
export function problems(
  statuses: readonly number[],
  others: Readonly<Record<number, Readonly<Record<string, ZodType>>>> = {},
): Record<number, object> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      response(
        `${titleOf(status)}: ${REASONS[status] ?? 'the server is at fault'}`,
        { [PROBLEM_TYPE]: ProblemResponse, ...others[status] },
        status === 429 || status === 503 ? RETRY_AFTER : null,
      ),
    ]),
  );
}

/** What a POST that was taken gets. */
export const Accepted = z.object({ status: z.literal('accepted') });

/** What OpenAPI says of a GET in words. */
export interface ReadText {
  operationId: string;
  summary: string;
  description: string;
}

/** The schema of a GET. `statuses`: of problems that not every GET has. */
export function describeRead(tag: ApiTag, text: ReadText, answer: ZodType, statuses: readonly number[]) {
  const { operationId, summary, description } = text;
  const etag = { type: 'string', description: 'A strong validator, one for each content coding.' };
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    response: {
      200: response(summary, { 'application/json': answer }, { etag }),
      304: emptyResponse('What If-None-Match names is still right', { etag }),
      ...problems([...statuses, 406, 429, 500, 503]),
    },
  };
}

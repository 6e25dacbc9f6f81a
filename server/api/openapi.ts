import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { type ZodType, z } from 'zod';
import type { Config } from '#server/config/config.ts';
import { zodSchemas } from '#server/http/route-schemas.ts';
import { PROBLEM_TYPE, Problem, titleOf } from '#server/problem-details.ts';
import type { Site } from '#server/site/site.ts';

const TAGS = [
  {
    name: 'content',
    description: 'The data of the pages. Nothing in it is personal; caches may store it.',
  },
  {
    name: 'forms',
    description: 'What readers send, as JSON or as a form post. The response to a form post is the page.',
  },
  { name: 'measurements', description: 'What pages report about themselves.' },
  { name: 'documentation', description: 'This document.' },
] as const;

/** The tag of an operation in the OpenAPI document. */
export type ApiTag = (typeof TAGS)[number]['name'];

export interface OpenApiOptions {
  config: Pick<Config, 'publicOrigin'>;
  site: Pick<Site, 'settings'>;
}

/** Makes `app.swagger()` return the OpenAPI 3.1 document of the routes that have a tag. Register it before them. */
export const openApi = fp(
  async (app: FastifyInstance, options: OpenApiOptions): Promise<void> => {
    const { publicOrigin } = options.config;
    const site = options.site.settings();
    await app.register(swagger, {
      hideUntagged: true,
      openapi: {
        openapi: '3.1.0',
        info: {
          title: `${site.name} API`,
          version: '1',
          description: 'The JSON API of the site’s own pages. Errors are problems (RFC 9457).',
          contact: { name: site.publisher, email: site.emails.media, url: `${publicOrigin}/contact-us` },
          license: { name: site.copyright, url: `${publicOrigin}/about` },
        },
        // Relative to where the document is served, so that it is right behind every proxy.
        servers: [{ url: '/', description: site.name }],
        security: [],
        tags: [...TAGS],
      },
      ...zodSchemas(),
    });
  },
  { name: 'openapi' },
);

const RETRY_AFTER = {
  'retry-after': { type: 'string', description: 'Seconds until a retry may succeed.' },
};

/** The reason for each status, in addition to its phrase. */
const REASONS: Record<number, string> = {
  400: 'The request is not valid',
  403: 'A page of another site sent it',
  404: 'There is nothing at this address',
  406: 'Accept-Encoding excludes every coding',
  409: 'It is known already',
  412: 'If-Match names another representation than the current one',
  413: 'The body is too large',
  415: 'The body is of another media type',
  429: 'Too many requests from one client',
  502: 'The upstream did not accept it; it is stored and delivered later',
  503: 'It is not available, or cannot be accepted, at the moment',
};

/** Returns the schema of a response with a body, by media type. */
export function response(
  description: string,
  types: Readonly<Record<string, ZodType>>,
  headers: object | null = null,
): object {
  const content = Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]));
  return { description, ...(headers && { headers }), content };
}

/** Returns the schema of a response without a body. */
export function emptyResponse(description: string, headers: object | null = null): object {
  return { type: 'null', description, ...(headers && { headers }) };
}

/** Returns the schemas of problems (RFC 9457) by status. `others`: further media types of each. */
export function problems(
  statuses: readonly number[],
  others: Readonly<Record<string, ZodType>> = {},
): Record<number, object> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      response(
        `${titleOf(status)}: ${REASONS[status] ?? 'the server is at fault'}`,
        { [PROBLEM_TYPE]: Problem, ...others },
        status === 429 || status === 503 ? RETRY_AFTER : null,
      ),
    ]),
  );
}

/** The body of the response to an accepted POST. */
export const Accepted = z.object({ status: z.literal('accepted') });

/** The texts of a GET in the OpenAPI document. */
export interface ReadText {
  operationId: string;
  summary: string;
  description: string;
}

/** Returns the schema of a GET. `statuses`: those of problems that not every GET has. */
export function describeRead(tag: ApiTag, text: ReadText, body: ZodType, statuses: readonly number[]) {
  const { operationId, summary, description } = text;
  const etag = { type: 'string', description: 'A strong validator, one for each content coding.' };
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    response: {
      200: response(summary, { 'application/json': body }, { etag }),
      304: emptyResponse('The representation that If-None-Match names is current', { etag }),
      ...problems([...statuses, 406, 412, 429, 500, 503]),
    },
  };
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import { Problem, problemOf, sendProblem } from '#server/problem-details.ts';
import { RESOURCES, type Resource } from '#shared/models/resources-and-policies.ts';
import { SiteError } from '#shared/site-error.ts';

/** Schemas of a route's request, and of its responses by their status. */
interface RouteSchemas {
  [status: number]: ZodType;
  querystring?: ZodType;
  params?: ZodType;
  body?: ZodType;
}

/** Returns the options of a route of the operators' listener, which document it. */
export function documented(summary: string, { querystring, params, body, ...responses }: RouteSchemas) {
  // Fastify warns of a schema that is there and undefined.
  const request = { ...(querystring && { querystring }), ...(params && { params }), ...(body && { body }) };
  return { schema: { summary, ...request, response: { ...responses, '4xx': Problem, '5xx': Problem } } };
}

/** Fastify error handler: sends the error's problem details; nothing internal is in them. */
export function sendOpsError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const details = problemOf(error);
  // What is not available for now has a line of its own, from what it depends on.
  if (details.status === 500) request.log.error({ err: error }, 'request failed');
  return sendProblem(reply, details);
}

/** Returns the resource of that name. Throws a `SiteError` (not found) that lists the names. */
export function findResource(name: string): Resource {
  const resource = RESOURCES.find((known) => known === name);
  if (resource === undefined)
    throw new SiteError('not-found', `There is no such resource. There are: ${RESOURCES.join(', ')}.`);
  return resource;
}

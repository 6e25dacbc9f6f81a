import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { AccessHistory } from '#server/cache/access-history/access-history.ts';
import type { RecordedAccess } from '#server/cache/access-history/resource-history.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { BadRequest } from '#server/errors.ts';
import { findResource, parseRequest, problems } from '#server/ops/ops-responses.ts';
import type { Candidate, Goal } from '#shared/models/ops/ops-api-types.ts';
import * as schemas from '#shared/models/ops/simulation-schemas.ts';
import type { Resource } from '#shared/models/resources.ts';
import { adviceCurve } from './advice-curve.ts';
import { simulatePolicy } from './simulate-ttl.ts';
import { advisePolicies } from './ttl-advisor.ts';

export interface SimulationRoutesDeps {
  cache: Pick<ContentCache, 'policies' | 'stats'>;
  accessHistory: AccessHistory;
}

/** Serves the TTL simulator and the TTL advisor: what other policies would have done to recent traffic. Changes nothing. */
export async function simulationRoutes(app: FastifyInstance, deps: SimulationRoutesDeps): Promise<void> {
  const { cache, accessHistory } = deps;

  app.get(
    '/cache/simulate',
    {
      schema: {
        summary: 'What each candidate TTL would have done to recent traffic',
        querystring: schemas.SimulateQuery,
        response: { 200: schemas.SimulateResponse, ...problems },
      },
    },
    async (request) => {
      const query = parseRequest(schemas.SimulateQuery, request.query);
      const resource = findResource(query.resource);
      const recorded = recordOf(deps, resource);
      const policy = cache.policies.get(resource);
      const { swr = policy.swr } = query;
      const candidates: Candidate[] = [];
      for (const ttl of query.ttl)
        candidates.push((await simulatePolicy(recorded, { ...policy, ttl, swr })).effect);
      const { effect: current } = await simulatePolicy(recorded, policy);
      return { ...windowOf(resource, recorded), current, candidates };
    },
  );

  app.get(
    '/cache/compare',
    {
      schema: {
        summary: 'What two policies would have done to the same recorded hour',
        querystring: schemas.CompareQuery,
        response: { 200: schemas.CompareResponse, ...problems },
      },
    },
    async (request) => {
      const query = parseRequest(schemas.CompareQuery, request.query);
      const resource = findResource(query.resource);
      const recorded = recordOf(deps, resource, query.minutes * 60);
      const policy = cache.policies.get(resource);
      return {
        ...windowOf(resource, recorded),
        a: await simulatePolicy(recorded, { ...policy, ...query.a }),
        b: await simulatePolicy(recorded, { ...policy, ...query.b }),
      };
    },
  );

  app.get(
    '/cache/advice/curve',
    {
      schema: {
        summary: 'Upstream requests saved against staleness, for a range of TTLs of one resource',
        querystring: schemas.CurveQuery,
        response: { 200: schemas.CurveResponse, ...problems },
      },
    },
    async (request) => {
      const query = parseRequest(schemas.CurveQuery, request.query);
      const resource = findResource(query.resource);
      const recorded = recordOf(deps, resource, query.minutes * 60);
      const curve = await adviceCurve(recorded, cache.policies.get(resource));
      return { ...windowOf(resource, recorded), ...curve };
    },
  );

  app.get(
    '/cache/advice',
    {
      schema: {
        summary: 'The policy for each resource that best meets a goal, and its cost',
        querystring: schemas.AdviceQuery,
        response: { 200: schemas.AdviceResponse, ...problems },
      },
    },
    async (request) => {
      const goal = goalOf(parseRequest(schemas.AdviceQuery, request.query));
      cache.stats();
      return advisePolicies(goal, { policyOf: cache.policies.get, historyOf: accessHistory.recorded });
    },
  );
}

/** Returns what is recorded of a resource's last `seconds`, by default all that is kept. */
function recordOf(
  { cache, accessHistory }: SimulationRoutesDeps,
  resource: Resource,
  seconds?: number,
): RecordedAccess {
  // Reads of cached pages are recorded once a second: this records those of the current second.
  cache.stats();
  return accessHistory.recorded(resource, seconds);
}

function windowOf(resource: Resource, { since, until, reads, sampleRate }: RecordedAccess) {
  return { resource, observedSeconds: Math.round(until - since), requests: reads, sampleRate };
}

function goalOf({ upstreamCallsPerMinute, staleSeconds }: z.infer<typeof schemas.AdviceQuery>): Goal {
  if (upstreamCallsPerMinute !== undefined && staleSeconds === undefined) return { upstreamCallsPerMinute };
  if (staleSeconds !== undefined && upstreamCallsPerMinute === undefined) return { staleSeconds };
  throw new BadRequest('The request is not valid.', {
    goal: 'Exactly one of upstreamCallsPerMinute and staleSeconds is needed.',
  });
}

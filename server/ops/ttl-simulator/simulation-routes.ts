import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { AccessRing } from '#server/cache/access-ring.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { BadRequest } from '#server/errors.ts';
import { findResource, parseRequest, problems } from '#server/ops/ops-responses.ts';
import type { Candidate, Goal } from '#shared/models/ops/ops-api-types.ts';
import * as schemas from '#shared/models/ops/simulation-schemas.ts';
import { simulatePolicy } from './simulate-ttl.ts';
import { advisePolicies } from './ttl-advisor.ts';

export interface SimulationRoutesDeps {
  cache: Pick<ContentCache, 'policies' | 'stats'>;
  accessRing: Pick<AccessRing, 'recorded'>;
}

/** Serves the TTL simulator and the TTL advisor: what other policies would have done to recent traffic. Changes nothing. */
export async function simulationRoutes(
  app: FastifyInstance,
  { cache, accessRing }: SimulationRoutesDeps,
): Promise<void> {
  /** Hits of cached pages are recorded once a second: this records those of the current second. */
  const countHits = () => void cache.stats();

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
      countHits();
      const recorded = accessRing.recorded(resource);
      const policy = cache.policies.get(resource);
      const { swr = policy.swr } = query;
      const candidates: Candidate[] = [];
      for (const ttl of query.ttl)
        candidates.push((await simulatePolicy(recorded, { ...policy, ttl, swr })).effect);
      const { effect: current } = await simulatePolicy(recorded, policy);
      const { since, until, reads, sampleRate } = recorded;
      return {
        resource,
        observedSeconds: Math.round(until - since),
        requests: reads,
        sampleRate,
        current,
        candidates,
      };
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
      countHits();
      return advisePolicies(goal, { policyOf: cache.policies.get, recordedOf: accessRing.recorded });
    },
  );
}

function goalOf({ upstreamCallsPerMinute, staleSeconds }: z.infer<typeof schemas.AdviceQuery>): Goal {
  if (upstreamCallsPerMinute !== undefined && staleSeconds === undefined) return { upstreamCallsPerMinute };
  if (staleSeconds !== undefined && upstreamCallsPerMinute === undefined) return { staleSeconds };
  throw new BadRequest('The request is not valid.', {
    goal: 'Exactly one of upstreamCallsPerMinute and staleSeconds is needed.',
  });
}

import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { AccessHistory } from '#server/cache/access-history/access-history.ts';
import type { RecordedAccess } from '#server/cache/access-history/resource-history.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Policy } from '#server/cache/default-policies.ts';
import { BadRequest } from '#server/errors.ts';
import { findResource } from '#server/ops/find-resource.ts';
import { parseRequest, problems } from '#server/ops/ops-responses.ts';
import * as schemas from '#shared/models/ops/simulation-schemas.ts';
import type { Resource } from '#shared/models/resources.ts';
import { adviceCurve, type SimulatedPolicy } from './advice-curve.ts';
import { type Candidate, simulateTtl } from './simulate-ttl.ts';
import { advisePolicies, type Goal } from './ttl-advisor.ts';

export interface SimulationRoutesDeps {
  cache: Pick<ContentCache, 'policies' | 'stats'>;
  accessHistory: AccessHistory;
}

/** Serves the TTL simulator and the TTL advisor: what other policies would have done to recent traffic. Changes nothing. */
export function simulationRoutes(app: FastifyInstance, deps: SimulationRoutesDeps): void {
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
      const policy = cache.policies.get(resource);
      // Reads of cached pages are recorded once a second: this records those of the current second.
      cache.stats();
      const recorded = accessHistory.recorded(resource);
      const { swr = policy.swr } = query;
      const candidates: Candidate[] = [];
      for (const ttl of query.ttl) {
        candidates.push(simulateTtl(recorded, { ...policy, ttl, swr }));
        // Requests are served in between.
        await setImmediate();
      }
      return {
        resource,
        observedSeconds: Math.round(recorded.until - recorded.since),
        requests: recorded.reads,
        sampleRate: recorded.sampleRate,
        current: simulateTtl(recorded, policy),
        candidates,
      };
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
      const recorded = recordOf(deps, resource, query.minutes);
      const simulated = (ages: Pick<Policy, 'ttl' | 'swr'>): SimulatedPolicy => {
        const policy = { ...cache.policies.get(resource), ...ages };
        return { policy, effect: simulateTtl(recorded, policy) };
      };
      const a = simulated(query.a);
      // Requests are served in between.
      await setImmediate();
      return { ...windowOf(resource, recorded), a, b: simulated(query.b) };
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
      const recorded = recordOf(deps, resource, query.minutes);
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

/** Returns what is recorded of a resource's last `minutes`, the reads of the current second included. */
function recordOf(
  { cache, accessHistory }: SimulationRoutesDeps,
  resource: Resource,
  minutes: number,
): RecordedAccess {
  cache.stats();
  return accessHistory.recorded(resource, minutes * 60);
}

function windowOf(resource: Resource, { since, until, reads, sampleRate }: RecordedAccess) {
  return { resource, observedSeconds: Math.round(until - since), requests: reads, sampleRate };
}

function goalOf({
  upstreamCallsPerMinute,
  staleSeconds,
}: {
  upstreamCallsPerMinute?: number | undefined;
  staleSeconds?: number | undefined;
}): Goal {
  if (upstreamCallsPerMinute !== undefined && staleSeconds === undefined) return { upstreamCallsPerMinute };
  if (staleSeconds !== undefined && upstreamCallsPerMinute === undefined) return { staleSeconds };
  throw new BadRequest('The request is not valid.', {
    goal: 'Exactly one of upstreamCallsPerMinute and staleSeconds is needed.',
  });
}

import type { FastifyInstance } from 'fastify';
import type { AccessRing } from '#server/cache/access-ring.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { parseRequest } from '#server/http/route-schemas.ts';
import { documented, findResource } from '#server/ops/ops-responses.ts';
import type { Candidate } from '#shared/models/ops/ops-api-types.ts';
import * as schemas from '#shared/models/ops/simulation-schemas.ts';
import { simulateTtl } from './simulate-ttl.ts';
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
    documented('What each candidate TTL would have done to recent traffic', {
      200: schemas.SimulateResponse,
      querystring: schemas.SimulateQuery,
    }),
    async (request) => {
      const query = parseRequest(schemas.SimulateQuery, request.query);
      const resource = findResource(query.resource);
      countHits();
      const recorded = accessRing.recorded(resource);
      const policy = cache.policies.get(resource);
      const { swr = policy.swr } = query;
      const candidates: Candidate[] = [];
      for (const ttl of query.ttl) candidates.push(await simulateTtl(recorded, { ttl, swr }));
      const { since, until, reads, sampleRate } = recorded;
      return {
        resource,
        observedSeconds: Math.round(until - since),
        requests: reads,
        sampleRate,
        current: await simulateTtl(recorded, policy),
        candidates,
      };
    },
  );

  app.get(
    '/cache/advice',
    documented(
      'The policy for each resource with the fewest upstream calls that serves nothing older than staleSeconds',
      { 200: schemas.AdviceResponse, querystring: schemas.AdviceQuery },
    ),
    async (request) => {
      const { staleSeconds } = parseRequest(schemas.AdviceQuery, request.query);
      countHits();
      return advisePolicies(staleSeconds, cache.policies.get, accessRing.recorded);
    },
  );
}

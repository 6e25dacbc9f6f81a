import type { FastifyInstance } from 'fastify';
import { problems } from '#server/ops/ops-responses.ts';
import { InstancesResponse } from '#shared/models/ops/instances-schemas.ts';
import type { Instances } from './instances.ts';

/** Serves the instances on the same Redis and their sum. */
export function instancesRoutes(app: FastifyInstance, instances: Pick<Instances, 'list'>): void {
  app.get(
    '/instances',
    {
      schema: {
        summary: 'The instances on the same Redis, and their sum; without REDIS_URL this one alone',
        response: { 200: InstancesResponse, ...problems },
      },
    },
    () => instances.list(),
  );
}

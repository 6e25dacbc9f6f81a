import type { FastifyInstance } from 'fastify';
import { problems } from '#server/ops/ops-responses.ts';
import { InstancesResponse } from '#shared/models/ops/instances-schemas.ts';
import type { Instances } from './instances.ts';

/** Serves the instances on the same Redis and their sum. */
export async function instancesRoutes(
  app: FastifyInstance,
  { instances }: { instances: Pick<Instances, 'list'> },
): Promise<void> {
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

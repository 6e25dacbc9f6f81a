import type { FastifyInstance } from 'fastify';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Readiness } from './readiness.ts';

/** Paths of the health checks. They need no origin secret, and are neither counted nor logged: nobody reads what they serve. */
export const HEALTH_CHECK_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

export interface HealthRoutesOptions {
  readiness: Pick<Readiness, 'state'>;
  cache: { mode: Pick<ContentCache['mode'], 'current'> };
}

/**
 * `/healthz`: liveness. `/readyz`: readiness, which does not depend on the upstream; it also names the cache mode while
 * that is not the normal one, so that nobody forgets it.
 */
export async function healthRoutes(
  app: FastifyInstance,
  { readiness, cache }: HealthRoutesOptions,
): Promise<void> {
  const unlimited = { config: { rateLimit: false } } as const;

  app.get('/healthz', unlimited, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/readyz', unlimited, async (_request, reply) => {
    const status = readiness.state();
    const { mode, ttlFactor, endsInSeconds } = cache.mode.current();
    return reply
      .code(status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status,
        ...(endsInSeconds !== null && { mode }),
        ...(endsInSeconds !== null && ttlFactor !== 1 && { ttlFactor }),
      });
  });
}

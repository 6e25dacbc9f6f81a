import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Clock } from '#server/time.ts';

/** `starting` until the app listens, `stopping` once the shutdown begins. */
export type ReadinessState = 'starting' | 'ready' | 'stopping';

export type Readiness = ReturnType<typeof createReadiness>;

/** Makes the readiness that load balancers ask for. Requests are served in every state. */
export function createReadiness({ clock, logger }: { clock: Clock; logger: Pick<Logger, 'info'> }) {
  let state: ReadinessState = 'starting';
  let readyAt = Number.POSITIVE_INFINITY;
  return {
    state: () => state,
    /** Milliseconds since the server became ready; negative before. */
    readyForMs: () => clock.monotonic() - readyAt,
    /** Makes the server ready, unless it has begun to stop. */
    start(): void {
      if (state !== 'starting') return;
      state = 'ready';
      readyAt = clock.monotonic();
      logger.info({ ms: Math.round(readyAt) }, 'ready');
    },
    stop(): void {
      state = 'stopping';
    },
  };
}

/** Paths of the health checks. They need no origin secret, and are neither counted nor logged: nobody reads what they serve. */
export const HEALTH_CHECK_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

export interface HealthRoutesOptions {
  readiness: Pick<Readiness, 'state' | 'start'>;
  cache: { mode: Pick<ContentCache['mode'], 'current'> };
}

/**
 * `/healthz`: liveness. `/readyz`: readiness, which does not depend on the upstream; it also names the cache mode while
 * that is not the normal one, so that nobody forgets it. The server is ready once the app listens.
 */
export async function healthRoutes(
  app: FastifyInstance,
  { readiness, cache }: HealthRoutesOptions,
): Promise<void> {
  app.addHook('onListen', async () => readiness.start());
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
        ...(endsInSeconds !== null && { mode, ...(ttlFactor !== 1 && { ttlFactor }) }),
      });
  });
}

import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { ContentCache } from '#server/cache/content-cache.ts';

/** `starting` until it is prepared, `stopping` once the shutdown begins. */
export type ReadinessState = 'starting' | 'ready' | 'stopping';

export interface ReadinessOptions {
  /** Does what pages need that are not served by this process alone. */
  prepare: () => Promise<void>;
  /** Monotonic milliseconds. */
  clock: () => number;
  logger: Pick<Logger, 'info' | 'warn'>;
  maxPrepareMs?: number;
}

export type Readiness = ReturnType<typeof createReadiness>;

/** A server that is still slow is worth more than one that never gets traffic. */
const MAX_PREPARE_MS = 10_000;

/** Makes the readiness that load balancers ask for. Requests are served in every state. */
export function createReadiness({ prepare, clock, logger, maxPrepareMs = MAX_PREPARE_MS }: ReadinessOptions) {
  const stopped = Promise.withResolvers<void>();
  let state: ReadinessState = 'starting';
  let readyAt = Number.POSITIVE_INFINITY;
  let started: Promise<void> | null = null;

  async function run(): Promise<void> {
    const began = clock();
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      logger.warn({ maxPrepareMs }, 'the preparation timed out: ready without it');
      limit.resolve();
    }, maxPrepareMs).unref();
    const prepared = prepare().catch((err: unknown) => {
      logger.warn({ err }, 'the preparation failed: ready without it');
    });
    await Promise.race([prepared, stopped.promise, limit.promise]);
    clearTimeout(timer);
    if (state === 'stopping') return;
    state = 'ready';
    readyAt = clock();
    logger.info({ ms: Math.round(readyAt - began) }, 'ready');
  }

  return {
    state: () => state,
    /** Milliseconds since the server became ready; negative before. */
    readyForMs: () => clock() - readyAt,
    /** Prepares, once however often it is called. Resolves when the state is no longer `starting`. Never rejects. */
    start(): Promise<void> {
      started ??= run();
      return started;
    },
    stop(): void {
      state = 'stopping';
      stopped.resolve();
    },
  };
}

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

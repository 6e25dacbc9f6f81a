import type { Logger } from 'pino';

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

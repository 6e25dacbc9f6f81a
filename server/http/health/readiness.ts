import type { Logger } from 'pino';

/** `starting` until the warm-up is done, `stopping` once the shutdown begins. */
export type ReadinessState = 'starting' | 'ready' | 'stopping';

export interface ReadinessOptions {
  /** Does what the first reader would wait for otherwise. Ends early when `signal` is aborted. */
  warmUp: (signal: AbortSignal) => Promise<void>;
  onReady?: () => void;
  /** Monotonic milliseconds. */
  clock: () => number;
  logger: Pick<Logger, 'info' | 'warn'>;
  maxWarmUpMs?: number;
}

export type Readiness = ReturnType<typeof createReadiness>;

/** A server that is still slow is worth more than one that never gets traffic. */
const MAX_WARM_UP_MS = 10_000;

/** Makes the readiness that load balancers ask for. Requests are served in every state. */
export function createReadiness({
  warmUp,
  onReady,
  clock,
  logger,
  maxWarmUpMs = MAX_WARM_UP_MS,
}: ReadinessOptions) {
  const stopping = new AbortController();
  let state: ReadinessState = 'starting';
  let readyAt = Number.POSITIVE_INFINITY;
  let started: Promise<void> | null = null;

  async function warm(): Promise<void> {
    const began = clock();
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      logger.warn({ maxWarmUpMs }, 'the warm-up timed out: ready without it');
      limit.resolve();
    }, maxWarmUpMs).unref();
    const warmed = warmUp(stopping.signal).catch((err: unknown) => {
      logger.warn({ err }, 'the warm-up failed: ready without it');
    });
    await Promise.race([warmed, limit.promise]);
    clearTimeout(timer);
    if (state === 'stopping') return;
    state = 'ready';
    readyAt = clock();
    onReady?.();
    logger.info({ warmUpMs: Math.round(readyAt - began) }, 'ready');
  }

  return {
    state: () => state,
    /** Milliseconds since the server became ready; negative before. */
    readyForMs: () => clock() - readyAt,
    /** Warms up, once however often it is called. Resolves when the state is no longer `starting`. Never rejects. */
    start(): Promise<void> {
      started ??= warm();
      return started;
    },
    stop(): void {
      state = 'stopping';
      stopping.abort();
    },
  };
}

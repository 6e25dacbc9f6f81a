import type { Redis } from 'ioredis';

/** What a reader may lose to a Redis that does not answer (faults: Redis down, slow), in milliseconds. */
export const BUDGET_MS = 20;
/** After a question without an answer nothing is asked for so long: a slow Redis costs one budget a second, not one a read. */
const REST_MS = 1_000;
const CONNECT_MS = 500;
const LONGEST_RETRY_MS = 1_000;
const LOG_MS = 60_000;

/** A Redis that may be down, slow or wrong at any time. */
export interface RedisClient {
  /** What Redis answers, or `otherwise` where it does not within its budget (`ms`: another one, where no reader waits). Never rejects. */
  ask<T>(question: (redis: Redis) => Promise<T>, otherwise: T, ms?: number): Promise<T>;
  /** Whether a question would be asked now. */
  isUp(): boolean;
  /** A connection of its own, for questions that wait for their answer. Rejects what is asked while there is none. */
  another(): Redis;
  close(): void;
}

export interface RedisClientOptions {
  url: string;
  logger: { warn(details: object, message: string): void };
  /** Monotonic milliseconds. */
  clock: () => number;
  budgetMs?: number | undefined;
}

/** Connects, and goes on connecting, in the background. The library is loaded only here: most sites need none. */
export async function connectRedis({
  url,
  logger,
  clock,
  budgetMs = BUDGET_MS,
}: RedisClientOptions): Promise<RedisClient> {
  const { Redis } = await import('ioredis');
  const connections: Redis[] = [];
  let restUntil = Number.NEGATIVE_INFINITY;
  let loggedUntil = Number.NEGATIVE_INFINITY;

  function connect(): Redis {
    const connection = new Redis(url, {
      // What cannot be asked now is not worth asking later.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_MS,
      retryStrategy: (attempts) => Math.min(LONGEST_RETRY_MS, 50 * 2 ** Math.min(attempts, 10)),
    });
    connection.on('error', logNowAndThen);
    connection.on('connect', () => guard(connection));
    connections.push(connection);
    return connection;
  }

  function logNowAndThen(error: unknown): void {
    if (clock() < loggedUntil) return;
    loggedUntil = clock() + LOG_MS;
    logger.warn({ err: error }, 'Redis cannot be asked: this instance works alone meanwhile');
  }

  const redis = connect();
  const isUp = () => redis.status === 'ready' && clock() >= restUntil;

  return {
    isUp,
    async ask(question, otherwise, ms = budgetMs) {
      if (!isUp()) return otherwise;
      const late = lateAfter(ms);
      try {
        const response = await Promise.race([question(redis), late.promise]);
        if (response !== LATE) return response;
        throw new Error(`no answer within ${ms} ms`);
      } catch (error) {
        restUntil = clock() + REST_MS;
        logNowAndThen(error);
        return otherwise;
      } finally {
        late.cancel();
      }
    },
    another: connect,
    close() {
      for (const connection of connections) connection.disconnect();
    },
  };
}

/** Replies that nobody asked for make the library throw where nothing could catch it: the process would end. */
function guard({ stream }: Redis): void {
  const listeners = stream.listeners('data');
  stream.removeAllListeners('data');
  for (const listener of listeners) {
    stream.on('data', (chunk: Buffer) => {
      try {
        listener.call(stream, chunk);
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error('a reply could not be read'));
      }
    });
  }
}

const LATE = Symbol('late');

/** A timer that was due while this process was busy itself lets what has come in meanwhile be read first. */
function lateAfter(ms: number): { promise: Promise<typeof LATE>; cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => setImmediate(resolve, LATE), ms);
  return { promise, cancel: () => clearTimeout(timer) };
}

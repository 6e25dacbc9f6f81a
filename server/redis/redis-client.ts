import type { Redis } from 'ioredis';
import { z } from 'zod';
import { after, type Clock, createLogThrottle } from '#server/time.ts';

/** What a reader may wait for a command (ms): the second level of the content cache. */
export const READ_TIMEOUT_MS = 20;
/** Every command but those that block has a response within this time (ms), or is given up. */
export const COMMAND_TIMEOUT_MS = 250;
/** The commands that ioredis sends on connecting may take this many times as long. */
const HANDSHAKE_FACTOR = 20;
/** After a command that was given up none is sent for this long: a slow Redis costs one timeout a second, not one a read. */
const PAUSE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 500;
/** A connection on which nothing comes from one `PING` to the next is opened again: it may have been lost unnoticed. */
const PING_INTERVAL_MS = 4_000;
const MAX_RETRY_DELAY_MS = 1_000;
/** Commands that the workers of BullMQ send again at once where Redis refuses them. */
const WORKER_COMMANDS = /^(eval|evalsha|bzpopmin)$/;

/** The error of a command that Redis refused. */
const Failed = z.object({ command: z.object({ name: z.string() }) });

/** A client of a Redis that may be down, silent, slow, read-only or wrong at any time. */
export type RedisClient = Awaited<ReturnType<typeof connectRedis>>;

export interface RedisClientOptions {
  url: string;
  logger: { warn(details: object, message: string): void };
  clock: Clock;
  /** Replaces the usual deadline (ms) of commands in tests. */
  commandTimeoutMs?: number | undefined;
}

/** Connects, and reconnects, in the background. Loads ioredis only here: most sites need none. */
export async function connectRedis(options: RedisClientOptions) {
  const { url, logger, clock, commandTimeoutMs = COMMAND_TIMEOUT_MS } = options;
  const { Redis } = await import('ioredis');
  const connections: Redis[] = [];
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const isLogDue = createLogThrottle(clock);

  /** `blocks`: for commands that wait in Redis, which may take longer than any other. `deadlineMs`: of all other commands. */
  function connect({ blocks = false, deadlineMs = commandTimeoutMs } = {}): Redis {
    const connection = keep(
      new Redis(url, {
        // A command that cannot be sent now has a fallback; sent later, its reply would come too late. Nobody waits for those
        // that block: without a queue BullMQ would send them again and again, and wait for ever for those whose connection ends.
        enableOfflineQueue: blocks,
        autoResendUnfulfilledCommands: blocks,
        // Nothing handles that command's timeout in ioredis: the process would end. Who subscribes does it on each connect.
        autoResubscribe: false,
        maxRetriesPerRequest: blocks ? null : 0,
        ...(!blocks && { commandTimeout: deadlineMs }),
        connectTimeout: CONNECT_TIMEOUT_MS,
        retryStrategy: (attempts) => Math.min(MAX_RETRY_DELAY_MS, 50 * 2 ** Math.min(attempts, 10)),
        // A primary that became a replica: its address may lead to the new one. Where Redis refuses a command of a worker, for
        // whatever reason, BullMQ would send it again some ten thousand times a second. A script that Redis does not have yet is
        // sent by ioredis. A user who may not ask for `INFO`, as ioredis does on connecting, would never be connected.
        reconnectOnError: (error) =>
          error.message.startsWith('READONLY') ||
          (blocks && WORKER_COMMANDS.test(commandOf(error)) && !error.message.startsWith('NOSCRIPT')),
      }),
    );
    // Not those that BullMQ makes of it, whose commands block. It watches them itself.
    return connection.on('connect', () => watch(connection));
  }

  /** Also those that BullMQ makes of it by itself. */
  function keep(connection: Redis): Redis {
    connection.on('error', (error) => {
      logThrottled(error);
      // ioredis would go on in database 0, which may be another site's.
      if (commandOf(error) === 'select') connection.disconnect(true);
    });
    connection.on('connect', () => {
      // ioredis adds one for each write that a replica refuses, and Node would warn of them.
      connection.stream.setMaxListeners(0);
      catchParserErrors(connection);
    });
    connections.push(connection);
    const duplicate = connection.duplicate.bind(connection);
    connection.duplicate = (override) => keep(duplicate(override));
    return connection;
  }

  function logThrottled(error: unknown): void {
    if (!isLogDue()) return;
    // Not the error itself: ioredis adds the command to it, whose arguments are a password or what a reader has sent.
    logger.warn(
      { reason: reasonOf(error) },
      'Redis is not available: this instance works without it meanwhile',
    );
  }

  // The deadline of the commands on connecting. All others have that of `attempt`, which first reads what came while the
  // process was busy.
  const redis = connect({ deadlineMs: HANDSHAKE_FACTOR * commandTimeoutMs });
  const isUp = () => redis.status === 'ready' && clock.monotonic() >= pausedUntil;

  /** Resolves with the reply, or with `fallback` where it fails or takes longer than `timeoutMs`. Never rejects. */
  async function attempt<T>(
    command: (redis: Redis) => Promise<T>,
    fallback: T,
    timeoutMs = commandTimeoutMs,
  ): Promise<T> {
    if (redis.status !== 'ready') return fallback;
    const { promise: timeout, reject } = Promise.withResolvers<never>();
    const timer = after(timeoutMs, () => {
      // If this process itself was busy when the timer was due, replies that came in meanwhile are read first.
      setImmediate(() => reject(new Error(`no reply within ${timeoutMs} ms`)));
    });
    try {
      return await Promise.race([command(redis), timeout]);
    } catch (error) {
      pausedUntil = clock.monotonic() + PAUSE_MS;
      logThrottled(error);
      return fallback;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    /** Number of the database. */
    database: redis.options.db ?? 0,
    /** False while disconnected, and for a second after a command that failed: `run` then resolves with its fallback at once. */
    isUp,
    /** As `attempt`, or with `fallback` at once while Redis is not up. */
    run: async <T>(command: (redis: Redis) => Promise<T>, fallback: T, timeoutMs?: number): Promise<T> =>
      isUp() ? attempt(command, fallback, timeoutMs) : fallback,
    attempt,
    /** Opens another connection, which is closed with the client. */
    connect,
    close(): void {
      for (const connection of connections) connection.disconnect();
    },
  };
}

/** Runs commands, each given by its number of words and those. A script alone may write to a Redis that is full. */
const COMMANDS = `#!lua flags=allow-oom
local replies, at = {}, 1
while at <= #ARGV do
  local last = at + ARGV[at]
  replies[#replies + 1] = redis.call(unpack(ARGV, at + 1, last))
  at = last + 1
end
return replies`;

/**
 * Runs commands as one, which a full Redis that evicts nothing takes too: they must not make it grow by much. Resolves with
 * their replies; rejects with the error of the first command that failed.
 */
export async function runWhenFull(
  redis: Pick<Redis, 'eval'>,
  commands: readonly (readonly string[])[],
): Promise<unknown[]> {
  const words = commands.flatMap((command) => [command.length, ...command]);
  return z.array(z.unknown()).parse(await redis.eval(COMMANDS, 0, ...words));
}

function commandOf(error: unknown): string {
  return Failed.safeParse(error).data?.command.name ?? '';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error';
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** A reply without a command makes ioredis throw in its `data` listener, which nothing could catch: the process would end. */
function catchParserErrors({ stream }: Redis): void {
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

/**
 * Destroys the stream of a connection on which nothing comes any more: where no end of it arrives either, TCP would try for a
 * quarter of an hour.
 */
function watch(connection: Redis): void {
  const { stream } = connection;
  let bytesBefore = -1;
  function look(): void {
    if (stream.bytesRead === bytesBefore) stream.destroy(new Error(`silent for ${PING_INTERVAL_MS} ms`));
    else if (connection.status === 'ready') connection.ping().catch(() => undefined);
    bytesBefore = stream.bytesRead;
  }
  // `setImmediate`: as in `attempt`.
  const timer = setInterval(() => setImmediate(look), PING_INTERVAL_MS).unref();
  stream.on('close', () => clearInterval(timer));
}

/** Returns a schema of JSON text whose value fits `schema`. Text that is no JSON does not fit. */
export function jsonText<T extends z.ZodType>(schema: T) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue('no JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);
}

import type { Redis } from 'ioredis';
import { z } from 'zod';
import {
  type MessageCount,
  OUTBOX_KINDS,
  type OutboxEntry,
  type OutboxKind,
} from '#server/outbox/message.ts';
import type { RedisClient } from '#server/redis/redis-client.ts';

/** Longer than the client's default (ms): only the dashboard and a background job wait. */
const TIMEOUT_MS = 1_000;
const MAX_LISTED = 500;

/** The messages of `kind` in `state`. */
interface Stream {
  kind: OutboxKind;
  state: OutboxEntry['state'];
}

const STREAMS = (['rejected', 'pending'] as const).flatMap((state) =>
  OUTBOX_KINDS.map((kind): Stream => ({ kind, state })),
);

/** Fields of an entry; `failure` of a rejected one alone. */
const Fields = z.object({
  key: z.string().default(''),
  created: z.coerce.number().catch(0),
  failure: z.string().optional(),
});
/** As Redis returns them: an id, and fields and values in turn. */
const Entries = z.array(
  z.tuple([z.string(), z.array(z.string())]).transform(([id, list]) => {
    const pairs = list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]]] : []));
    return { id, ...Fields.parse(Object.fromEntries(pairs)) };
  }),
);

/** Lists and counts the messages in the outbox's streams. While Redis is down the list is empty and counts are the last known. */
export function createStreamStatus({ client, prefix }: { client: RedisClient; prefix: string }) {
  let counts: MessageCount[] = [];
  let oldestSeconds = 0;

  const keyOf = ({ kind, state }: Stream) => `${prefix}:${state === 'rejected' ? 'rejected:' : ''}${kind}`;

  async function entriesOf(redis: Redis, stream: Stream, most: number) {
    return Entries.parse(await redis.xrange(keyOf(stream), '-', '+', 'COUNT', most));
  }

  async function listed(redis: Redis, stream: Stream): Promise<OutboxEntry[]> {
    const entries = await entriesOf(redis, stream, MAX_LISTED);
    const keys = entries.map(({ key }) => key);
    const failures = keys.length > 0 ? await redis.hmget(`${prefix}:failures`, ...keys) : [];
    return entries.map(({ id, created, failure }, at) => {
      const [attempts, ...error] = (failure ?? failures[at] ?? '').split(' ');
      return {
        ...stream,
        id,
        attempts: Number(attempts),
        lastError: error.join(' ') || null,
        createdAt: new Date(created).toISOString(),
      };
    });
  }

  return {
    /** Lists rejected messages of all kinds before pending ones; at most 500. */
    async list(): Promise<OutboxEntry[]> {
      const lists = STREAMS.map((stream) => client.run((redis) => listed(redis, stream), [], TIMEOUT_MS));
      return (await Promise.all(lists)).flat().slice(0, MAX_LISTED);
    },

    /** Returns what `refreshCounts` found last. */
    counts: () => counts,
    /** Returns the age of the oldest pending message at that time; 0 where there was none. */
    oldestSeconds: () => oldestSeconds,

    /** `now`: wall-clock milliseconds. */
    async refreshCounts(now: number): Promise<void> {
      const found = await client.run(
        (redis) =>
          Promise.all(
            STREAMS.map(async (stream) => ({
              count: { ...stream, n: await redis.xlen(keyOf(stream)) },
              first: stream.state === 'pending' ? await entriesOf(redis, stream, 1) : [],
            })),
          ),
        null,
        TIMEOUT_MS,
      );
      if (!found) return;
      counts = found.map(({ count }) => count);
      const created = found.flatMap(({ first }) => first.map((entry) => entry.created || now));
      oldestSeconds = Math.round((now - Math.min(now, ...created)) / 1000);
    },
  };
}

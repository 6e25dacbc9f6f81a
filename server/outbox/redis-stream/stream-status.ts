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

const Entries = z.array(z.tuple([z.string(), z.array(z.string())]));

/** Lists and counts the messages in the outbox's streams. While Redis is down the list is empty and counts are the last known. */
export function createStreamStatus({ client, prefix }: { client: RedisClient; prefix: string }) {
  let counts: MessageCount[] = [];
  let oldestSeconds = 0;

  /** Returns the Redis key of the stream with the messages of `kind` in `state`. */
  function streamOf(kind: OutboxKind, state: OutboxEntry['state']): string {
    return `${prefix}:${state === 'rejected' ? 'rejected:' : ''}${kind}`;
  }

  async function listed(kind: OutboxKind, state: OutboxEntry['state']): Promise<OutboxEntry[]> {
    const stream = streamOf(kind, state);
    const found = await client.run(
      async (redis) => {
        const entries = Entries.parse(await redis.xrange(stream, '-', '+', 'COUNT', MAX_LISTED));
        const fields = entries.map(([id, list]): Fields => ({ ...fieldsOf(list), id }));
        const keys = fields.map(({ key = '' }) => key);
        const failures = keys.length > 0 ? await redis.hmget(`${prefix}:failures`, ...keys) : [];
        return fields.map((entry, at): Fields => ({ failure: failures[at] ?? '', ...entry }));
      },
      [],
      TIMEOUT_MS,
    );
    return found.map(({ id = '', failure = '', created }) => {
      const [attempts, ...error] = failure.split(' ');
      return {
        id,
        kind,
        state,
        attempts: Number(attempts),
        lastError: error.join(' ') || null,
        createdAt: new Date(Number(created) || 0).toISOString(),
      };
    });
  }

  return {
    /** Lists rejected messages of all kinds before pending ones; at most 500. */
    async list(): Promise<OutboxEntry[]> {
      const lists = await Promise.all(
        (['rejected', 'pending'] as const).flatMap((state) =>
          OUTBOX_KINDS.map((kind) => listed(kind, state)),
        ),
      );
      return lists.flat().slice(0, MAX_LISTED);
    },

    /** Returns what `refreshCounts` found last. */
    counts: () => counts,
    /** Returns the age of the oldest pending message at that time; 0 where there was none. */
    oldestSeconds: () => oldestSeconds,

    /** `now`: wall-clock milliseconds. */
    async refreshCounts(now: number): Promise<void> {
      const found = await client.run(
        async (redis) => ({
          counts: await Promise.all(
            OUTBOX_KINDS.flatMap((kind) =>
              (['pending', 'rejected'] as const).map(async (state) => ({
                kind,
                state,
                n: await redis.xlen(streamOf(kind, state)),
              })),
            ),
          ),
          first: await Promise.all(
            OUTBOX_KINDS.map(async (kind) =>
              Entries.parse(await redis.xrange(streamOf(kind, 'pending'), '-', '+', 'COUNT', 1)),
            ),
          ),
        }),
        null,
        TIMEOUT_MS,
      );
      if (!found) return;
      ({ counts } = found);
      const created = found.first.flat().map(([, list]) => Number(fieldsOf(list)['created']) || now);
      oldestSeconds = Math.round((now - Math.min(now, ...created)) / 1000);
    },
  };
}

type Fields = Partial<Record<string, string>>;

/** Reads names and values in turn, as Redis replies. */
function fieldsOf(list: readonly string[]): Fields {
  return Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : [])));
}

import { z } from 'zod';
import {
  type MessageCount,
  OUTBOX_KINDS,
  type OutboxEntry,
  type OutboxKind,
} from '#server/outbox/message.ts';
import type { RedisClient } from '#server/redis/redis-client.ts';

/** Nobody waits who reads pages. */
const BACKGROUND_MS = 1_000;
const LISTED = 500;

const Entries = z.array(z.tuple([z.string(), z.array(z.string())]));

/** Names and values of an entry. */
export type StreamFields = Partial<Record<string, string>>;

/** What is pending in the streams of the outbox and what was refused. Nothing where Redis is away. */
export function createStreamStatus({ client, prefix }: { client: RedisClient; prefix: string }) {
  let counts: MessageCount[] = [];
  let oldestSeconds = 0;

  /** The name of the stream that holds what is in a state. */
  function nameOf(kind: OutboxKind, state: OutboxEntry['state']): string {
    return state === 'refused' ? `rejected:${kind}` : kind;
  }

  async function listed(kind: OutboxKind, state: OutboxEntry['state']): Promise<OutboxEntry[]> {
    const name = nameOf(kind, state);
    const found = await client.run(
      async (redis) => {
        const entries = Entries.parse(await redis.xrange(`${prefix}:${name}`, '-', '+', 'COUNT', LISTED));
        const keys = entries.map(([, list]) => fieldsOf(list)['key'] ?? '');
        const failures = keys.length > 0 ? await redis.hmget(`${prefix}:failures`, ...keys) : [];
        return entries.map(([id, list], at) => ({ failure: failures[at] ?? '', ...fieldsOf(list), id }));
      },
      [],
      BACKGROUND_MS,
    );
    return found.map(({ id, failure, created = '0' }: StreamFields) => {
      const [attempts = '0', ...error] = (failure ?? '').split(' ');
      return {
        id: id ?? '',
        kind,
        state,
        attempts: Number(attempts),
        lastError: error.join(' ') || null,
        createdAt: new Date(Number(created) || 0).toISOString(),
      };
    });
  }

  return {
    /** Submissions first, those that were refused before those that are pending; at most 500. */
    async list(): Promise<OutboxEntry[]> {
      const lists = await Promise.all(
        OUTBOX_KINDS.flatMap((kind) => [listed(kind, 'refused'), listed(kind, 'waiting')]),
      );
      return lists.flat().slice(0, LISTED);
    },

    /** An entry of a stream. */
    find: (name: string, id: string): Promise<StreamFields | null> =>
      client.run(
        async (redis) => {
          const [entry] = Entries.parse(await redis.xrange(`${prefix}:${name}`, id, id));
          return entry ? fieldsOf(entry[1]) : null;
        },
        null,
        BACKGROUND_MS,
      ),

    async forget(name: string, id: string): Promise<void> {
      await client.run((redis) => redis.xdel(`${prefix}:${name}`, id), null, BACKGROUND_MS);
    },

    /** As it was when `look` was called last. */
    counts: () => counts,
    /** Age of the oldest pending message at that time; 0 where there is none. */
    oldestSeconds: () => oldestSeconds,

    /** Asks how much is pending. `now`: wall-clock milliseconds. */
    async look(now: number): Promise<void> {
      const found = await client.run(
        async (redis) => ({
          counts: await Promise.all(
            OUTBOX_KINDS.flatMap((kind) =>
              (['waiting', 'refused'] as const).map(async (state) => ({
                kind,
                state,
                n: await redis.xlen(`${prefix}:${nameOf(kind, state)}`),
              })),
            ),
          ),
          first: await Promise.all(
            OUTBOX_KINDS.map((kind) => redis.xrange(`${prefix}:${kind}`, '-', '+', 'COUNT', 1)),
          ),
        }),
        null,
        BACKGROUND_MS,
      );
      if (!found) return;
      ({ counts } = found);
      const created = found.first.flat().map(([, list]) => Number(fieldsOf(list)['created']) || now);
      oldestSeconds = Math.round((now - Math.min(now, ...created)) / 1000);
    },
  };
}

function fieldsOf(list: readonly string[]): StreamFields {
  return Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : [])));
}

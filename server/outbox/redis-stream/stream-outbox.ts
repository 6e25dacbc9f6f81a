import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import {
  type AttemptRecord,
  type Message,
  type MessageStore,
  type NewMessage,
  type Next,
  OUTBOX_KINDS,
  type OutboxKind,
} from '#server/outbox/message.ts';
import { createSubmissionDigests } from '#server/outbox/submission-digests.ts';
import type { RedisClient } from '#server/redis/redis-client.ts';
import { createDurabilityCheck } from './stream-durability.ts';
import { ADD, CLAIM, HOLD, SETTLE } from './stream-scripts.ts';
import { createStreamStatus, type StreamFields } from './stream-status.ts';

/** A reader waits for it: past this a submission goes to the disk instead, in milliseconds. */
const ADD_MS = 250;
/** Nobody waits. */
const BACKGROUND_MS = 1_000;
const DAY_SECONDS = 86_400;
const MAX_VIEWS = 100_000;
const REFUSED_VIEWS_KEPT = 1_000;
const ALL = 1_000_000_000;
/** Of all instances together: a little less than one worker's interval, so that one alone is not slowed down. */
const SUBMISSION_TURN_MS = 95;
const VIEW_TURN_MS = 4;
const VIEWS_AT_ONCE = 16;
const NO_KEY = '-';

const Payload = z.string().refine((text) => isObject(text));
const Claimed = z.tuple([
  z.string(),
  z.enum(OUTBOX_KINDS),
  z.string().min(1),
  Payload,
  z.string(),
  z.string(),
  z.coerce.number(),
  z.string(),
]);
const Added = z.tuple([z.enum(['waiting', 'delivered', 'answered', 'refused']), z.string()]).rest(Claimed);
const Claim = z.tuple([z.number(), z.string()]).rest(z.unknown());

export interface StreamOutboxOptions {
  client: RedisClient;
  prefix: string;
  /** What an instance had in hand for so long is claimed by another, in milliseconds: longer than it can take to be attempted. */
  idleMs: number;
}

export type StreamOutbox = ReturnType<typeof createStreamOutbox>;

/**
 * The outbox of all instances: a Redis stream for each kind, worked by a consumer group. What an instance had in hand
 * when it died is claimed by another once it is idle for longer than any attempt takes. Where Redis is away every method
 * answers as if there were nothing, but `record`, which rejects.
 */
export function createStreamOutbox({ client, prefix: site, idleMs }: StreamOutboxOptions) {
  const prefix = `${site}:outbox`;
  const cursors = new Map<OutboxKind, string>();
  /** In hand, and not asked for yet. Past `until` (monotonic ms) others may claim them. */
  const claimed = new Map<OutboxKind, { messages: Message[]; until: number }>();
  let digests: ReturnType<typeof createSubmissionDigests> | null = null;
  const status = createStreamStatus({ client, prefix });

  function run(script: string, given: readonly (string | number)[], ms = BACKGROUND_MS): Promise<unknown> {
    return client.run((redis) => redis.eval(script, 0, prefix, hostname(), ...given), null, ms);
  }

  /** Those of all instances. Null where Redis is away. */
  async function sharedDigests() {
    if (digests) return digests;
    const made = randomBytes(32).toString('base64');
    const secret = await client.run<string | null>(
      async (redis) => (await redis.set(`${prefix}:secret`, made, 'NX', 'GET')) ?? made,
      null,
      ADD_MS,
    );
    if (secret !== null) digests = createSubmissionDigests(Buffer.from(secret, 'base64'));
    return digests;
  }

  function messageOf([id, kind, idempotencyKey, payload, sender, , createdAt, failure]: z.infer<
    typeof Claimed
  >): Message {
    return {
      id,
      kind,
      idempotencyKey,
      payload,
      sender: sender || null,
      createdAt,
      state: 'waiting',
      attempts: Number(failure.split(' ')[0] || 0),
      uncertain: true,
      isElsewhere: false,
      store,
    };
  }

  /** Known by its key, and in the hands of others. */
  const elsewhere = (item: NewMessage, idempotencyKey: string): Message => ({
    ...item,
    idempotencyKey,
    id: '',
    state: 'waiting',
    attempts: 0,
    uncertain: true,
    sender: null,
    isElsewhere: true,
    store,
  });

  async function hold(item: NewMessage, key: string): Promise<Message> {
    const claimed = Claimed.safeParse(await run(HOLD, [key, idleMs]));
    return claimed.success ? messageOf(claimed.data) : elsewhere(item, key);
  }

  async function add(item: NewMessage, isTaken: boolean, isAgain = false): Promise<Message | null> {
    const { kind, payload, idempotencyKey, createdAt } = item;
    const of = (await sharedDigests())?.of(kind, payload);
    if (!of) return null;
    const given = [kind, idempotencyKey, payload, of.sender ?? '', of.digest, createdAt, DAY_SECONDS];
    const response = await run(ADD, [...given, isTaken ? '1' : '', isAgain ? '1' : ''], ADD_MS);
    const added = Added.safeParse(response);
    if (!added.success) return null;
    const [state, key, claimed] = added.data;
    if (claimed) return { ...messageOf(claimed), uncertain: false };
    if (state !== 'waiting' || !isTaken) return { ...elsewhere(item, key), state };
    return hold(item, key);
  }

  const store = {
    isUp: client.isUp,

    /** Kept in Redis, and in this instance's hands where nobody else has it; null where Redis does not keep it. */
    add: (item: NewMessage) => add(item, true),

    /** Kept in Redis for any instance, or known there. False where Redis does not keep it. */
    move: async (item: NewMessage): Promise<boolean> => (await add(item, false)) !== null,

    /** False where Redis does not keep them. Views past the bound are not kept. */
    addViews: (views: readonly NewMessage[]): Promise<boolean> =>
      client.run(
        async (redis) => {
          if (views.length === 0 || (await redis.xlen(`${prefix}:view`)) >= MAX_VIEWS) return true;
          const adding = redis.pipeline();
          for (const { idempotencyKey, payload, createdAt } of views)
            adding.xadd(
              `${prefix}:view`,
              '*',
              'key',
              idempotencyKey,
              'payload',
              payload,
              'created',
              createdAt,
            );
          return (await adding.exec())?.every(([error]) => error === null) === true;
        },
        false,
        BACKGROUND_MS,
      ),

    /** Pending submissions of the same sender that came before it, at most `most`, in this instance's hands where nobody else has them. */
    async earlierOf(message: Message, most: number): Promise<Message[]> {
      if (message.sender === null) return [];
      const keys = await client.run(
        (redis) => redis.lrange(`${prefix}:sender:${message.sender}`, 0, most - 1),
        [],
        ADD_MS,
      );
      const own = keys.indexOf(message.idempotencyKey);
      // It was set aside: it is behind all others, and none is before it.
      if (own < 0 && keys.length < most) return [];
      const earlier: Message[] = [];
      for (const key of own < 0 ? keys : keys.slice(0, own)) earlier.push(await hold(message, key));
      return earlier;
    },

    async next(kind: OutboxKind, _inFlight: ReadonlySet<Message>, suspect?: Message): Promise<Next> {
      const held = claimed.get(kind);
      const first = held && performance.now() < held.until ? held.messages.shift() : undefined;
      if (first) return first;
      const until = performance.now() + idleMs / 2;
      const found = Claim.safeParse(
        await run(CLAIM, [
          ...[kind, idleMs, cursors.get(kind) ?? '0-0', suspect?.idempotencyKey ?? NO_KEY],
          ...(kind === 'view'
            ? ['view', VIEW_TURN_MS, VIEWS_AT_ONCE]
            : ['submission', SUBMISSION_TURN_MS, 1]),
        ]),
      );
      if (!found.success) return null;
      const [waitMs, cursor, ...entries] = found.data;
      cursors.set(kind, cursor);
      if (waitMs > 0) return { waitMs };
      if (entries.length === 0) return null;
      const messages: Message[] = [];
      for (const entry of entries) {
        const message = Claimed.safeParse(entry);
        if (message.success) messages.push(messageOf(message.data));
        // What somebody else wrote there is nobody's message.
        else await run(SETTLE, [kind, Array.isArray(entry) ? String(entry[0]) : '', 'delivered', 1, '', ALL]);
      }
      claimed.set(kind, { messages, until });
      return messages.shift() ?? { waitMs: 0 };
    },

    stateOf: (): 'waiting' => 'waiting',

    /** Rejects where Redis is away. */
    async record(
      { kind, id, idempotencyKey, attempts }: Message,
      { state, error }: AttemptRecord,
    ): Promise<void> {
      const failure = `${attempts + 1} ${error ?? ''}`;
      const kept = kind === 'view' ? REFUSED_VIEWS_KEPT : ALL;
      const done =
        state === 'waiting'
          ? await client.run(
              (redis) => redis.hset(`${prefix}:failures`, idempotencyKey, failure),
              null,
              BACKGROUND_MS,
            )
          : await run(SETTLE, [kind, id, state, DAY_SECONDS, failure, kept]);
      if (done === null) throw new Error('Redis is away');
      if (state === 'waiting') await release(kind, [id]);
    },

    /** Any instance may have it now, and what was claimed with it. */
    async leave({ kind, id, isElsewhere }: Message): Promise<void> {
      const ids = claimed.get(kind)?.messages.map((other) => other.id) ?? [];
      claimed.delete(kind);
      await release(kind, isElsewhere ? ids : [id, ...ids]);
    },

    async setAside({ kind, id }: Message): Promise<void> {
      await run(SETTLE, [kind, id, 'aside', DAY_SECONDS, '', ALL]);
    },

    /** Puts back what was refused. The kind of what is pending now; null where nothing of that id is. */
    async retry(id: string): Promise<OutboxKind | null> {
      for (const kind of OUTBOX_KINDS) {
        const refused = await status.find(`rejected:${kind}`, id);
        if (refused && (await putBack(kind, refused))) {
          await status.forget(`rejected:${kind}`, id);
          return kind;
        }
        if (await status.find(kind, id)) return kind;
      }
      return null;
    },

    list: status.list,
    look: status.look,
    counts: status.counts,
    oldestSeconds: status.oldestSeconds,
    /** Whether what was added so far outlives Redis, as far as it can say. */
    isDurable: createDurabilityCheck(client.duplicate(), `${prefix}:durable`),
  } satisfies MessageStore & Record<string, unknown>;

  /** Whoever claims next may have them. */
  async function release(kind: OutboxKind, ids: readonly Message['id'][]): Promise<void> {
    if (ids.length === 0) return;
    const idle = ['IDLE', DAY_SECONDS * 1_000, 'JUSTID'];
    await client.run(
      (redis) => redis.call('XCLAIM', `${prefix}:${kind}`, 'workers', hostname(), 0, ...ids, ...idle),
      null,
      BACKGROUND_MS,
    );
  }

  async function putBack(kind: OutboxKind, fields: StreamFields): Promise<boolean> {
    const { key = '', payload = '', created = '0' } = fields;
    const item = { kind, payload, idempotencyKey: key, createdAt: Number(created) };
    return kind === 'view' ? store.addViews([item]) : (await add(item, false, true)) !== null;
  }

  return store;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

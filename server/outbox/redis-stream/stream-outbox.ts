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
  State,
  storedState,
} from '#server/outbox/message.ts';
import { digestSubmission } from '#server/outbox/submission-digests.ts';
import { jsonText } from '#server/redis/json-text.ts';
import type { RedisClient } from '#server/redis/redis-client.ts';
import { createDurabilityCheck } from './stream-durability.ts';
import { ADD, CLAIM, CLAIM_BY_KEY, COMPLETE, RETRY } from './stream-scripts.ts';
import { createStreamStatus } from './stream-status.ts';

/** A reader waits: after this a submission goes to the disk instead, in milliseconds. */
const ADD_TIMEOUT_MS = 250;
/** No request waits. */
const BACKGROUND_TIMEOUT_MS = 1_000;
const DAY_MS = 86_400_000;
const MAX_VIEWS = 100_000;
/** Of all instances together: a little less than one worker's interval, so that one alone is not slowed down. */
const SUBMISSION_TURN_MS = 95;
const VIEW_TURN_MS = 4;
const VIEWS_PER_CLAIM = 16;
const NO_KEY = '-';

const JsonObject = jsonText(z.looseObject({}));
const Claimed = z.tuple([
  z.string(),
  z.enum(OUTBOX_KINDS),
  z.string().min(1),
  z.string().refine((text) => JsonObject.safeParse(text).success),
  z.string(),
  z.coerce.number(),
  z.string(),
  z.string(),
]);
const Added = z.tuple([State, z.string()]).rest(Claimed);
const Claim = z.tuple([z.number(), z.string()]).rest(z.unknown());

export interface StreamOutboxOptions {
  client: RedisClient;
  prefix: string;
  /** Messages in flight for so long are another's to claim, in milliseconds: longer than their attempts can take. */
  idleMs: number;
}

export type StreamOutbox = ReturnType<typeof createStreamOutbox>;

/**
 * The outbox of all instances: a Redis stream for each kind, worked by a consumer group. Another instance claims what one
 * had in flight when it died (`XAUTOCLAIM`). While Redis is down every method returns as if there were nothing, except
 * `record`, which rejects.
 */
export function createStreamOutbox({ client, prefix: site, idleMs }: StreamOutboxOptions) {
  const prefix = `${site}:outbox`;
  /** Where the next claim of each kind goes on. */
  const cursors = new Map<OutboxKind, string>();
  /** Claimed with others and not in flight yet; past `until` (monotonic ms) others may claim them. */
  let views: { messages: Message[]; until: number } = { messages: [], until: 0 };
  let secret: Buffer | null = null;
  const status = createStreamStatus({ client, prefix });

  function run(
    script: string,
    given: readonly (string | number)[],
    ms = BACKGROUND_TIMEOUT_MS,
  ): Promise<unknown> {
    return client.run((redis) => redis.eval(script, 0, prefix, hostname(), ...given), null, ms);
  }

  /** All instances share the secret. Null where Redis is down. */
  async function sharedSecret(): Promise<Buffer | null> {
    if (secret) return secret;
    const made = randomBytes(32).toString('base64');
    const shared = await client.run<string | null>(
      async (redis) => (await redis.set(`${prefix}:secret`, made, 'NX', 'GET')) ?? made,
      null,
      ADD_TIMEOUT_MS,
    );
    if (shared !== null) secret = Buffer.from(shared, 'base64');
    return secret;
  }

  function messageOf(claimed: z.infer<typeof Claimed>): Message {
    const [id, kind, idempotencyKey, payload, sender, createdAt, failure, traceparent] = claimed;
    return {
      id,
      kind,
      idempotencyKey,
      payload,
      sender: sender || null,
      createdAt,
      traceparent: traceparent || null,
      state: 'pending',
      attempts: Number(failure.split(' ')[0]),
      uncertain: true,
      isInFlightElsewhere: false,
      store,
    };
  }

  /** Claims a pending submission by its key. `like`: of the same kind, for where another instance has it in flight. */
  async function claimByKey(like: NewMessage, idempotencyKey: string): Promise<Message> {
    const claimed = Claimed.safeParse(await run(CLAIM_BY_KEY, [idempotencyKey, idleMs]));
    return claimed.success ? messageOf(claimed.data) : notClaimed(like, idempotencyKey);
  }

  function notClaimed(like: NewMessage, idempotencyKey: string): Message {
    const unknown = { id: '', sender: null, attempts: 0, uncertain: true } as const;
    return { ...like, ...unknown, idempotencyKey, state: 'pending', isInFlightElsewhere: true, store };
  }

  async function add(message: NewMessage, claims: boolean): Promise<Message | null> {
    const { kind, payload, idempotencyKey, createdAt, traceparent } = message;
    const known = await sharedSecret();
    if (!known) return null;
    const { digest, sender } = digestSubmission(known, message);
    const given = [
      ...[kind, idempotencyKey, payload, sender ?? '', digest, createdAt],
      ...[traceparent ?? '', claims ? '1' : ''],
    ];
    const added = Added.safeParse(await run(ADD, given, ADD_TIMEOUT_MS));
    if (!added.success) return null;
    const [state, key, claimed] = added.data;
    if (claimed) return { ...messageOf(claimed), uncertain: false };
    if (state === 'pending' && claims) return claimByKey(message, key);
    return { ...notClaimed(message, key), state };
  }

  const store = {
    isUp: client.isUp,

    /** Adds a submission and claims it where no other instance has it in flight. Null where Redis does not take it. */
    add: (message: NewMessage) => add(message, true),

    /** Adds a submission for any instance. False where Redis does not take it. */
    move: async (message: NewMessage): Promise<boolean> => (await add(message, false)) !== null,

    /** Adds views; those past the bound are dropped. False where Redis does not take them. */
    addViews: (added: readonly NewMessage[]): Promise<boolean> =>
      client.run(
        async (redis) => {
          const key = `${prefix}:view`;
          if (added.length === 0 || (await redis.xlen(key)) >= MAX_VIEWS) return true;
          const pipeline = redis.pipeline();
          for (const { idempotencyKey, payload, createdAt, traceparent } of added)
            pipeline.xadd(
              ...[key, '*', 'key', idempotencyKey, 'payload', payload, 'created', createdAt],
              ...['trace', traceparent ?? ''],
            );
          return (await pipeline.exec())?.every(([error]) => error === null) === true;
        },
        false,
        BACKGROUND_TIMEOUT_MS,
      ),

    async earlierOf(message: Message, after: Message | null): Promise<Message | null> {
      if (message.sender === null) return null;
      const [first, second] = await client.run(
        (redis) => redis.lrange(`${prefix}:sender:${message.sender}`, 0, 1),
        [],
        ADD_TIMEOUT_MS,
      );
      const earlier = first === after?.idempotencyKey ? second : first;
      return earlier === undefined || earlier === message.idempotencyKey
        ? null
        : claimByKey(message, earlier);
    },

    async next(kind: OutboxKind, _inFlight: ReadonlySet<Message>, suspect?: Message): Promise<Next> {
      const claimedBefore = kind === 'view' && performance.now() < views.until && views.messages.shift();
      if (claimedBefore) return claimedBefore;
      const until = performance.now() + idleMs / 2;
      const turn =
        kind === 'view' ? ['view', VIEW_TURN_MS, VIEWS_PER_CLAIM] : ['submission', SUBMISSION_TURN_MS, 1];
      const from = cursors.get(kind) ?? '0-0';
      const reply = await run(CLAIM, [kind, idleMs, from, suspect?.idempotencyKey ?? NO_KEY, ...turn]);
      const found = Claim.safeParse(reply);
      if (!found.success) return null;
      const [waitMs, cursor, ...entries] = found.data;
      cursors.set(kind, cursor);
      if (waitMs > 0) return { waitMs };
      if (entries.length === 0) return null;
      const messages: Message[] = [];
      for (const entry of entries) {
        const message = Claimed.safeParse(entry);
        if (message.success) messages.push(messageOf(message.data));
        // Somebody else wrote it: it is no message.
        else await run(COMPLETE, [kind, Array.isArray(entry) ? String(entry[0]) : '', 'delivered', '']);
      }
      const [message, ...rest] = messages;
      if (rest.length > 0) views = { messages: rest, until };
      return message ?? { waitMs: 0 };
    },

    stateOf: (): 'pending' => 'pending',

    /** Rejects where Redis is down. */
    async record(message: Message, { state, error }: AttemptRecord): Promise<void> {
      const { kind, id, idempotencyKey } = message;
      const failure = `${message.attempts + 1} ${error ?? ''}`;
      const written =
        state === 'pending'
          ? await client.run(
              (redis) => redis.hset(`${prefix}:failures`, idempotencyKey, failure),
              null,
              BACKGROUND_TIMEOUT_MS,
            )
          : await run(COMPLETE, [kind, id, storedState(state), failure]);
      if (written === null) throw new Error('Redis is down');
      if (state === 'pending') await store.release(message);
    },

    async release({ kind, id, isInFlightElsewhere }: Message): Promise<void> {
      if (isInFlightElsewhere) return;
      const args = [`${prefix}:${kind}`, 'workers', hostname(), 0, id, 'IDLE', DAY_MS, 'JUSTID'];
      await client.run((redis) => redis.call('XCLAIM', ...args), null, BACKGROUND_TIMEOUT_MS);
    },

    async moveToBack({ kind, id }: Message): Promise<void> {
      await run(COMPLETE, [kind, id, 'back', '']);
    },

    async retry(id: string): Promise<OutboxKind | null> {
      for (const kind of OUTBOX_KINDS) if ((await run(RETRY, [kind, id])) === 1) return kind;
      return null;
    },

    list: status.list,
    counts: status.counts,
    oldestSeconds: status.oldestSeconds,
    refreshCounts: status.refreshCounts,
    /** Returns whether what was added so far outlives Redis, as far as Redis can say. */
    isDurable: createDurabilityCheck(client.connect({ blocks: true }), `${prefix}:durable`),
  } satisfies MessageStore & Record<string, unknown>;

  return store;
}

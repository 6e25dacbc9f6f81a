import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import {
  type InvalidationMessage,
  type PoliciesMessage,
  PURGE_ALL,
  parseInvalidationMessage,
  serializeInvalidationMessage,
} from './invalidation-message.ts';
import type { RedisClient } from './redis-client.ts';
import { FIRST, isAfter, millisecondsOf, STREAM_ID } from './stream-id.ts';

/** An instance that missed more messages than the stream holds treats everything it has cached as stale. */
export const MAX_STREAM_LENGTH = 1_000;
/** How long `XREAD` blocks in Redis; a connection that is silent for twice as long is closed. */
const BLOCK_MS = 2_000;
const RETRY_MS = 200;

/** As Redis returns it: an id, and fields and values in turn. */
const StreamEntry = z.tuple([z.string().regex(STREAM_ID), z.array(z.string())]);
type StreamEntry = z.infer<typeof StreamEntry>;
const StreamEntries = z.array(StreamEntry);
const Streams = z.array(z.tuple([z.string(), StreamEntries])).nullable();
/** Redis' clock: seconds and microseconds. */
const Time = z.tuple([z.coerce.number(), z.unknown()]);

/** A message read from the stream. */
export interface ReceivedMessage {
  id: string;
  message: InvalidationMessage;
  /** This instance sent it. */
  isOwn: boolean;
  /** By Redis' clock, in whole seconds. */
  ageSeconds: number;
}

export interface StreamListener {
  /** The last message that is known already. */
  since: string;
  /** Called with each later message in order, also with the instance's own. */
  onMessage(received: ReceivedMessage): void;
  /** Called where messages up to `id` were trimmed from the stream before they were read. */
  onGap(id: string): void;
  /**
   * Called before the stream is read from its beginning: at the start, and after Redis was away. `policies`: those in
   * force, null where they are unknown.
   */
  onResume(policies: PoliciesMessage | null): void;
}

/**
 * Creates the Redis stream by which instances tell each other of purges, policies and modes. Its ids order them, so that
 * a missed message is noticed. What is sent while Redis is away is appended when it is back.
 */
export function createInvalidationStream(client: RedisClient, prefix: string) {
  const streamKey = `${prefix}:changes`;
  /** Holds the last policies, which may have been trimmed from the stream. */
  const policiesKey = `${prefix}:policies`;
  const instance = randomUUID();
  let lastRead: string | null = null;
  /** Id of the last message of this instance, until it is read back. */
  let lastAppended: string | null = null;
  let unsent: InvalidationMessage[] = [];
  let isSending = false;
  let isClosed = false;

  function sendSoon(): void {
    if (unsent.length === 0 || isSending) return;
    isSending = true;
    void sendAll().finally(() => {
      isSending = false;
    });
  }

  async function sendAll(): Promise<void> {
    for (let [message] = unsent; message; [message] = unsent) {
      const sent = message;
      if (!(await client.run((redis) => append(redis, sent), false))) return;
      unsent = unsent.filter((other) => other !== sent);
    }
  }

  /**
   * Appends in one transaction: the stored policies must be those of the stream's last message, or an instance that reads
   * both after a gap keeps others than the rest.
   */
  async function append(redis: Redis, message: InvalidationMessage): Promise<boolean> {
    const text = serializeInvalidationMessage(message, instance);
    const transaction = redis.multi();
    if (message.what === 'policies') transaction.set(policiesKey, text);
    transaction.xadd(streamKey, 'MAXLEN', MAX_STREAM_LENGTH, '*', 'change', text);
    const replies = (await transaction.exec()) ?? [];
    for (const [error] of replies) if (error) throw error;
    const id = replies.at(-1)?.[1];
    lastAppended = typeof id === 'string' ? id : null;
    return lastAppended !== null;
  }

  async function readForever(reader: Redis, listener: StreamListener): Promise<void> {
    let mustReadAll = true;
    while (!isClosed) {
      try {
        if (mustReadAll) await readAll(reader, listener);
        mustReadAll = false;
        sendSoon();
        await readNew(reader, listener);
      } catch {
        mustReadAll = true;
        await pause(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  async function readAll(reader: Redis, listener: StreamListener): Promise<void> {
    const appendedBefore = lastAppended;
    const [entries, [now], storedPolicies] = await closeIfSilent(
      reader,
      Promise.all([
        reader.xrange(streamKey, '-', '+').then(StreamEntries.parse),
        reader.time().then(Time.parse),
        reader.get(policiesKey),
      ]),
    );
    const [first] = entries;
    const isTrimmed = entries.length >= MAX_STREAM_LENGTH;
    if (first && isTrimmed && isAfter(first[0], lastRead ?? listener.since)) listener.onGap(first[0]);
    const policies = parseInvalidationMessage(storedPolicies ?? '')?.change;
    const isInForce = policies?.what === 'policies' && !unsent.some(({ what }) => what === 'policies');
    listener.onResume(isInForce ? policies : null);
    for (const entry of entries) receive(entry, listener, now);
    lastRead ??= listener.since;
    // Redis may have lost it, and it would never be read back.
    if (lastAppended === appendedBefore) lastAppended = null;
  }

  function isReadBack(): boolean {
    return unsent.length === 0 && (lastAppended === null || !isAfter(lastAppended, lastRead ?? FIRST));
  }

  async function readNew(reader: Redis, listener: StreamListener): Promise<void> {
    const reading = reader.xread(
      'COUNT',
      MAX_STREAM_LENGTH,
      'BLOCK',
      BLOCK_MS,
      'STREAMS',
      streamKey,
      lastRead ?? FIRST,
    );
    const streams = Streams.parse(await closeIfSilent(reader, reading));
    for (const [, entries] of streams ?? []) for (const entry of entries) receive(entry, listener);
  }

  /** Closes a connection on which no reply comes. The library reconnects. */
  async function closeIfSilent<T>(reader: Redis, reply: Promise<T>): Promise<T> {
    const timer = setTimeout(() => reader.disconnect(true), 2 * BLOCK_MS);
    return reply.finally(() => clearTimeout(timer));
  }

  /** `now`: seconds of Redis' clock, where the entry was not added just now. */
  function receive([id, [, text = '']]: StreamEntry, listener: StreamListener, now = 0): void {
    if (!isAfter(id, lastRead ?? listener.since)) return;
    lastRead = id;
    const parsed = parseInvalidationMessage(text);
    if (!parsed) return;
    const ageSeconds = Math.max(0, now - Math.ceil(millisecondsOf(id) / 1000));
    listener.onMessage({ id, message: parsed.change, isOwn: parsed.by === instance, ageSeconds });
  }

  return {
    /** Appends a message, now or when Redis is back. */
    send(message: InvalidationMessage): void {
      if (isClosed) return;
      unsent = unsent.length < MAX_STREAM_LENGTH ? [...unsent, message] : [PURGE_ALL];
      sendSoon();
    },

    /** Starts to read the stream. */
    listen(listener: StreamListener): void {
      void readForever(client.duplicate(), listener);
    },

    /**
     * Returns the id of the last message that is known here: what is loaded now is newer than all up to it. Null while
     * that cannot be said: before the stream was first read, and until this instance's own messages were read back.
     */
    lastKnownId: (): string | null => (isReadBack() ? lastRead : null),

    close(): void {
      isClosed = true;
    },
  };
}

export type InvalidationStream = ReturnType<typeof createInvalidationStream>;

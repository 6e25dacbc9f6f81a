import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { EnvelopeText, type InstanceMessage, type PoliciesMessage, PURGE_ALL } from './instance-message.ts';
import type { RedisClient } from './redis-client.ts';
import { FIRST, isAfter, millisecondsOf, STREAM_ID } from './stream-id.ts';

/** An instance that missed more messages than the stream holds treats everything it has cached as stale. */
export const MAX_STREAM_LENGTH = 1_000;
/** How long `XREAD` blocks in Redis; a connection that is silent for twice as long is closed. */
const BLOCK_MS = 2_000;
const RETRY_MS = 200;
/**
 * A message is late if it was appended, or is read, later than this (ms). Both together are less than the sender waits
 * before it purges the CDN: who is in time has by then nothing old to send.
 */
export const LATE_MS = 40;
/** Messages read within this time (ms) of the start are not late: nothing has been served yet. */
const START_MS = 1_000;

/** As Redis returns it: an id, and fields and values in turn. */
const StreamEntry = z.tuple([z.string().regex(STREAM_ID), z.array(z.string())]);
type StreamEntry = z.infer<typeof StreamEntry>;
const StreamEntries = z.array(StreamEntry);
const Streams = z.array(z.tuple([z.string(), StreamEntries])).nullable();
/** Redis' clock: seconds and microseconds. */
const Time = z.tuple([z.coerce.number(), z.coerce.number()]);

/** A message read from the stream. */
export interface ReceivedMessage {
  id: string;
  message: InstanceMessage;
  /** This instance sent it. */
  isOwn: boolean;
  /** By Redis' clock, in whole seconds. */
  ageSeconds: number;
  /** What it purges may have been sent to the CDN after that was purged. */
  isLate: boolean;
}

export interface StreamListener {
  /** The last message that is known already. */
  since: string;
  /** Called with each later message in order, also with the instance's own. */
  onMessage(received: ReceivedMessage): void;
  /** Called where messages up to `id` were trimmed from the stream before they were read. `isLate`: as of a message. */
  onGap(id: string, isLate: boolean): void;
  /** Called with the last policies before the stream is read from its beginning: at the start, and after Redis was away. */
  onPolicies(policies: PoliciesMessage): void;
}

/**
 * Creates the Redis stream by which instances tell each other of purges, policies and modes. Its ids order them, so that
 * a missed message is noticed. What is sent while Redis is away is appended when it is back.
 */
export function createInvalidationStream(
  client: RedisClient,
  prefix: string,
  clock: () => number,
  lateMs = LATE_MS,
) {
  const streamKey = `${prefix}:changes`;
  /** Holds the last policies, which may have been trimmed from the stream. */
  const policiesKey = `${prefix}:policies`;
  const instance = randomUUID();
  let lastRead: string | null = null;
  const firstRead = Promise.withResolvers<void>();
  /** Id of the last message of this instance, until it is read back. */
  let lastAppended: string | null = null;
  let unsent: { message: InstanceMessage; madeAt: number }[] = [];
  let sending: Promise<void> | null = null;
  let onRead: () => void = () => undefined;
  let startedAt = clock();
  /** What Redis' clock is ahead of ours, in milliseconds. */
  let redisAheadMs = 0;
  let isClosed = false;

  function sendSoon(): void {
    if (unsent.length === 0) return;
    sending ??= sendAll().finally(() => {
      sending = null;
    });
  }

  async function sendAll(): Promise<void> {
    for (let [next] = unsent; next; [next] = unsent) {
      const sent = next;
      const isDelayed = clock() - sent.madeAt > lateMs;
      if (!(await client.run((redis) => append(redis, sent.message, isDelayed), false))) return;
      unsent = unsent.filter((other) => other !== sent);
    }
  }

  /**
   * Appends in one transaction: the stored policies must be those of the stream's last message, or an instance that reads
   * both after a gap keeps others than the rest.
   */
  async function append(redis: Redis, change: InstanceMessage, isDelayed: boolean): Promise<boolean> {
    const text = JSON.stringify({ by: instance, change, isDelayed });
    const transaction = redis.multi();
    if (change.what === 'policies') transaction.set(policiesKey, text);
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

  /** Resolves with the seconds of Redis' clock, and notes how far it is ahead of ours. */
  async function readTime(reader: Redis): Promise<number> {
    const [seconds, microseconds] = Time.parse(await reader.time());
    redisAheadMs = seconds * 1_000 + microseconds / 1_000 - clock();
    return seconds;
  }

  async function readAll(reader: Redis, listener: StreamListener): Promise<void> {
    const appendedBefore = lastAppended;
    const [now, entries, storedPolicies] = await closeIfSilent(
      reader,
      Promise.all([
        readTime(reader),
        reader.xrange(streamKey, '-', '+').then(StreamEntries.parse),
        reader.get(policiesKey),
      ]),
    );
    const isStart = lastRead === null && clock() - startedAt < START_MS;
    const [first] = entries;
    const isTrimmed = entries.length >= MAX_STREAM_LENGTH;
    if (first && isTrimmed && isAfter(first[0], lastRead ?? listener.since))
      listener.onGap(first[0], !isStart);
    const policies = EnvelopeText.safeParse(storedPolicies).data?.change;
    if (policies?.what === 'policies') listener.onPolicies(policies);
    for (const entry of entries) receive(entry, listener, { now, isStart });
    lastRead ??= listener.since;
    firstRead.resolve();
    onRead();
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
    if (streams) onRead();
  }

  /** Closes a connection on which no reply comes. The library reconnects. */
  async function closeIfSilent<T>(reader: Redis, reply: Promise<T>): Promise<T> {
    const timer = setTimeout(() => reader.disconnect(true), 2 * BLOCK_MS);
    return reply.finally(() => clearTimeout(timer));
  }

  /** `now`: seconds of Redis' clock, where the entry was not added just now. `isStart`: nothing has been served yet. */
  function receive(
    [id, [, text = '']]: StreamEntry,
    listener: StreamListener,
    { now, isStart } = { now: 0, isStart: false },
  ): void {
    if (!isAfter(id, lastRead ?? listener.since)) return;
    lastRead = id;
    const parsed = EnvelopeText.safeParse(text).data;
    if (!parsed) return;
    const ageSeconds = Math.max(0, now - Math.ceil(millisecondsOf(id) / 1000));
    const ageMs = clock() + redisAheadMs - millisecondsOf(id);
    listener.onMessage({
      id,
      message: parsed.change,
      isOwn: parsed.by === instance,
      ageSeconds,
      isLate: !isStart && (parsed.isDelayed || ageMs > lateMs),
    });
  }

  return {
    /** Appends a message, now or when Redis is back. */
    send(message: InstanceMessage): void {
      if (isClosed) return;
      const madeAt = clock();
      unsent =
        unsent.length < MAX_STREAM_LENGTH
          ? [...unsent, { message, madeAt }]
          : [{ message: PURGE_ALL, madeAt: unsent[0]?.madeAt ?? madeAt }];
      sendSoon();
    },

    /** Resolves with the id of the last message of this instance; null while one could not be appended. */
    async sent(): Promise<string | null> {
      await sending;
      return unsent.length === 0 ? lastAppended : null;
    },

    /** Calls `listener` each time that messages were read and applied. */
    onRead(listener: () => void): void {
      onRead = listener;
    },

    /** Returns the id of the last message that was read and applied here. */
    lastReadId: (): string => lastRead ?? FIRST,

    /** Starts to read the stream. */
    listen(listener: StreamListener): void {
      startedAt = clock();
      void readForever(client.duplicate(), listener);
    },

    /** Resolves when the stream was first read. */
    firstRead: firstRead.promise,

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

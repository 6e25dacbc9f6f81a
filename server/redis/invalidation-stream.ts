import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import {
  type InvalidationMessage,
  PURGE_ALL,
  parseInvalidationMessage,
  serializeInvalidationMessage,
} from './invalidation-message.ts';
import type { RedisClient } from './redis-client.ts';
import { FIRST, isAfter, millisecondsOf, STREAM_ID } from './stream-id.ts';

/** Changes that the log holds. An instance that missed more takes everything it has for old. */
export const KEPT = 1_000;
/** How long a look for new changes waits in Redis; a silent connection is given up after the double of it. */
const WAIT_MS = 2_000;
const RETRY_MS = 200;

/** As Redis gives it: an id, and fields with their values in a row. */
const LogEntry = z.tuple([z.string().regex(STREAM_ID), z.array(z.string())]);
type LogEntry = z.infer<typeof LogEntry>;
const LogEntries = z.array(LogEntry);
const Streams = z.array(z.tuple([z.string(), LogEntries])).nullable();
/** Seconds of Redis's clock, and microseconds. */
const Time = z.tuple([z.coerce.number(), z.unknown()]);

/** A change out of the log. */
export interface LoggedChange {
  id: string;
  change: InvalidationMessage;
  isOwn: boolean;
  /** By Redis's clock, in whole seconds. */
  ageSeconds: number;
}

/** Who wants to hear of changes. */
export interface ChangeListener {
  /** The last change that is known already. */
  since: string;
  /** Told of every change after that, its own too, in order. */
  take(logged: LoggedChange): void;
  /** Changes up to `id` were forgotten before they were read. */
  missed(id: string): void;
  /** The log is read from its beginning, at the start and after a time without Redis. `policies`: those in force, if known. */
  resumed(policies: (InvalidationMessage & { what: 'policies' }) | null): void;
}

/**
 * Changes as a log in Redis (a stream), which every instance reads as it grows. Its ids are the generations by which a
 * missed change is noticed. What is appended while Redis is away is written when it is back.
 */
export function createInvalidationStream(link: RedisClient, prefix: string) {
  const key = `${prefix}:changes`;
  /** The last policies: the log forgets. */
  const policiesKey = `${prefix}:policies`;
  const instance = randomUUID();
  let known: string | null = null;
  let unsent: InvalidationMessage[] = [];
  let sending = false;
  let closed = false;

  function sendSoon(): void {
    if (unsent.length === 0 || sending) return;
    sending = true;
    void send().finally(() => {
      sending = false;
    });
  }

  async function send(): Promise<void> {
    for (let [change] = unsent; change; [change] = unsent) {
      const sent = change;
      if (!(await link.ask((redis) => write(redis, sent), false))) return;
      unsent = unsent.filter((other) => other !== sent);
    }
  }

  async function write(redis: Redis, change: InvalidationMessage): Promise<boolean> {
    const text = serializeInvalidationMessage(change, instance);
    if (change.what === 'policies') await redis.set(policiesKey, text);
    return (await redis.xadd(key, 'MAXLEN', KEPT, '*', 'change', text)) !== null;
  }

  async function follow(reader: Redis, listener: ChangeListener): Promise<void> {
    let hasGap = true;
    while (!closed) {
      try {
        if (hasGap) await readWhole(reader, listener);
        hasGap = false;
        sendSoon();
        await readMore(reader, listener);
      } catch {
        hasGap = true;
        await pause(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  /** At the start, and after a time without Redis. */
  async function readWhole(reader: Redis, listener: ChangeListener): Promise<void> {
    const [log, [now], standing] = await inTime(
      reader,
      Promise.all([
        reader.xrange(key, '-', '+').then(LogEntries.parse),
        reader.time().then(Time.parse),
        reader.get(policiesKey),
      ]),
    );
    const [first] = log;
    if (first && log.length >= KEPT && isAfter(first[0], known ?? listener.since)) listener.missed(first[0]);
    const policies = parseInvalidationMessage(standing ?? '')?.change;
    const isInForce = policies?.what === 'policies' && !unsent.some(({ what }) => what === 'policies');
    listener.resumed(isInForce ? policies : null);
    for (const entry of log) take(entry, listener, now);
    known ??= listener.since;
  }

  async function readMore(reader: Redis, listener: ChangeListener): Promise<void> {
    const waiting = reader.xread('COUNT', KEPT, 'BLOCK', WAIT_MS, 'STREAMS', key, known ?? FIRST);
    const streams = Streams.parse(await inTime(reader, waiting));
    for (const [, log] of streams ?? []) for (const entry of log) take(entry, listener);
  }

  /** A connection that is silent for longer than its questions may wait is given up. */
  async function inTime<T>(reader: Redis, response: Promise<T>): Promise<T> {
    const silent = setTimeout(() => reader.disconnect(true), 2 * WAIT_MS);
    return response.finally(() => clearTimeout(silent));
  }

  /** `now`: seconds of Redis's clock, where the entry has not just come in. */
  function take([id, [, text = '']]: LogEntry, listener: ChangeListener, now = 0): void {
    if (!isAfter(id, known ?? listener.since)) return;
    known = id;
    const signed = parseInvalidationMessage(text);
    if (!signed) return;
    const ageSeconds = Math.max(0, now - Math.ceil(millisecondsOf(id) / 1000));
    listener.take({ id, change: signed.change, isOwn: signed.by === instance, ageSeconds });
  }

  let listening: ChangeListener | null = null;

  return {
    key,

    append(change: InvalidationMessage): void {
      if (closed) return;
      unsent = unsent.length < KEPT ? [...unsent, change] : [PURGE_ALL];
      sendSoon();
    },

    /** Begins to read the log. */
    follow(listener: ChangeListener): void {
      listening = listener;
      void follow(link.another(), listener);
    },

    /**
     * The last change that is known here: what is loaded now is newer than all changes up to it. Null where that cannot
     * be said: the log was not read yet, or does not hold yet what was appended here.
     */
    known: (): string | null => (unsent.length > 0 ? null : known),

    /** Makes the changes up to `id` known. False where they cannot be had. */
    async catchUp(id: string): Promise<boolean> {
      if (known === null || !listening) return false;
      if (!isAfter(id, known)) return true;
      const after = known;
      const log = await link.ask(
        async (redis) => LogEntries.parse(await redis.xrange(key, `(${after}`, '+')),
        null,
      );
      for (const entry of log ?? []) take(entry, listening);
      return log !== null;
    },

    close(): void {
      closed = true;
    },
  };
}

export type InvalidationStream = ReturnType<typeof createInvalidationStream>;

import { randomUUID } from 'node:crypto';
import { type Clock, createLogThrottle, pause } from '#server/time.ts';
import type { Delivery } from './delivery.ts';
import { MAX_IN_FLIGHT, type Message } from './message-types.ts';

/** What is not sent within this time (ms) goes into the queue. */
const MAX_BUFFERED_MS = 1_000;
const MAX_BUFFERED = 10_000;
/** Written in one transaction, this often (ms): a flood of readers costs little, and requests come first. */
const MAX_BATCH = 250;
const BATCH_INTERVAL_MS = 125;
/** Views in the queue, beyond which none is added. */
const MAX_QUEUED = 100_000;

export interface ViewBufferOptions {
  delivery: Pick<Delivery, 'attemptInTurn'>;
  store(views: readonly Message[]): Promise<void>;
  /** Returns how many views are in the queues; those of this buffer are not among them. */
  queued: () => number;
  /** Wall milliseconds. */
  now: () => number;
  clock: Clock;
  logger: { error(details: object, message: string): void };
}

/**
 * Keeps views in memory until they are sent, 16 at a time. What was not delivered within a second goes into the queue in
 * batches, as many as it takes without holding up readers; the others stay here, as far as there is room.
 */
export function createViewBuffer({ delivery, store, queued, now, clock, logger }: ViewBufferOptions) {
  // Counted up, so that new ones are beside each other in SQLite's index: random ids cost three times as much.
  const idPrefix = randomUUID();
  let added = 0;
  /** Oldest first. */
  const buffered: Message[] = [];
  const failed: Message[] = [];
  const sending = new Map<Message, Promise<void>>();
  /** Since the last line of the log. */
  let dropped = 0;
  const isLogDue = createLogThrottle(clock);
  let hasWriteFailed = false;
  let isClosing = false;
  let isStoring = false;
  /** The last batch. */
  let stored = Promise.resolve(true);

  const size = () => buffered.length + failed.length + sending.size;

  function pump(): void {
    while (!isClosing && sending.size < MAX_IN_FLIGHT.view) {
      const view = buffered.shift();
      if (view === undefined) return;
      const sent = send(view).finally(() => {
        sending.delete(view);
        pump();
      });
      sending.set(view, sent);
    }
  }

  async function send(view: Message): Promise<void> {
    const { state } = await delivery.attemptInTurn(view);
    if (state === 'pending') failed.push(view);
  }

  /** Stores what is overdue, for as long as there are views. */
  async function storeOverdue(): Promise<void> {
    isStoring = true;
    await pause(MAX_BUFFERED_MS);
    while (size() > 0 && !isClosing) {
      stored = storeBatch(now() - MAX_BUFFERED_MS);
      await pause((await stored) ? BATCH_INTERVAL_MS : MAX_BUFFERED_MS);
    }
    isStoring = false;
  }

  /** Stores one batch of what has failed, or came before a time (wall ms). Resolves with false where that fails. */
  async function storeBatch(before: number): Promise<boolean> {
    const overdue = failed.splice(0, MAX_BATCH);
    while (overdue.length < MAX_BATCH) {
      const [view] = buffered;
      if (view === undefined || view.createdAt > before) break;
      overdue.push(view);
      buffered.shift();
    }
    const batch = overdue.slice(0, Math.max(0, MAX_QUEUED - queued()));
    dropped += overdue.length - batch.length;
    if (dropped > 0 && isLogDue()) {
      logger.error({ dropped }, 'more views than can be kept: some are not counted');
      dropped = 0;
    }
    if (batch.length === 0) return true;
    try {
      await store(batch);
      hasWriteFailed = false;
    } catch (error) {
      failed.unshift(...batch);
      if (!hasWriteFailed)
        logger.error({ err: error }, 'views could not be written: they are kept in memory');
      hasWriteFailed = true;
    }
    return !hasWriteFailed;
  }

  return {
    /** Never throws, never waits. `traceparent`: that of the request; null where it is not sampled. */
    add(view: { postId: string; address: string }, traceparent: string | null): void {
      if (size() >= MAX_BUFFERED) dropped++;
      else {
        const payload = { postId: view.postId, ip_addr: view.address };
        buffered.push({ id: `${idPrefix}-${++added}`, kind: 'view', payload, createdAt: now(), traceparent });
        pump();
      }
      if (!isStoring) void storeOverdue();
    },
    /** Views that are in no queue yet. */
    size,
    /** Sends no more. Stores what is left, once what is in flight has ended, or after `graceMs` with that. */
    async close(graceMs: number): Promise<void> {
      isClosing = true;
      await Promise.race([Promise.all(sending.values()), pause(graceMs)]);
      await stored;
      failed.push(...sending.keys());
      while (failed.length + buffered.length > 0 && (await storeBatch(now())));
      const views = failed.length + buffered.length + dropped;
      if (views > 0) logger.error({ views }, 'views could not be kept: they are not counted');
    },
  };
}

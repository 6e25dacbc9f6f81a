import { randomUUID } from 'node:crypto';
import type { Delivery } from './delivery.ts';
import { type After, MAX_IN_FLIGHT, type Message } from './message.ts';

/** What is not sent within this time (ms) goes into the queue. */
const MAX_BUFFERED_MS = 1_000;
const MAX_BUFFERED = 10_000;
/** Written in one transaction, with a pause in between (ms): requests come first. */
const MAX_BATCH = 250;
const BATCH_PAUSE_MS = 1;
/** Written in a second, so that a flood of readers costs little: more page views than that need several instances. */
const MAX_STORED = 2_000;
/** Views in the queue, beyond which none is added. */
const MAX_QUEUED = 100_000;

export interface ViewBufferOptions {
  delivery: Pick<Delivery, 'attemptInTurn'>;
  /** Adds messages to the queue. Rejects where it takes none. */
  store(views: readonly Message[]): Promise<void>;
  /** Number of views in the queue. */
  queued: () => number;
  /** Wall milliseconds. */
  now: () => number;
  after: After;
  logger: { error(details: object, message: string): void };
  /** Returns that of the request; null where it is not sampled. */
  traceparent: () => string | null;
}

/**
 * Keeps views in memory until they are sent, 16 at a time. What was not delivered within a second goes into the queue in
 * batches, as many as it takes without holding up readers; the others stay here, as far as there is room.
 */
export function createViewBuffer(options: ViewBufferOptions) {
  const { delivery, store, queued, now, after, logger, traceparent } = options;
  // Counted up, so that new ones are beside each other in SQLite's index: random ids cost three times as much.
  const idPrefix = randomUUID();
  let added = 0;
  let buffer: Message[] = [];
  const failed: Message[] = [];
  const sending = new Set<Promise<void>>();
  let dropped = 0;
  let hasWriteFailed = false;
  let isClosing = false;
  let cancelStore: (() => void) | null = null;
  let storing = Promise.resolve();

  const size = () => buffer.length + failed.length + sending.size;

  function pump(): void {
    while (!isClosing && sending.size < MAX_IN_FLIGHT.view) {
      const view = buffer.shift();
      if (view === undefined) return;
      const sent = send(view).finally(() => {
        sending.delete(sent);
        pump();
      });
      sending.add(sent);
    }
  }

  async function send(view: Message): Promise<void> {
    const { state } = await delivery.attemptInTurn(view);
    if (state === 'pending') failed.push(view);
  }

  function storeSoon(): void {
    if (isClosing) return;
    cancelStore ??= after(MAX_BUFFERED_MS, () => {
      storing = storeOverdue();
    });
  }

  async function storeOverdue(): Promise<void> {
    const overdue = failed.splice(0, MAX_STORED);
    await storeAll([...overdue, ...takeOlderThan(now() - MAX_BUFFERED_MS, MAX_STORED - overdue.length)]);
    if (dropped > 0) logger.error({ dropped }, 'more views than can be kept: some are not counted');
    dropped = 0;
    cancelStore = null;
    if (size() > 0) storeSoon();
    pump();
  }

  function takeOlderThan(createdAt: number, max: number): Message[] {
    const first = buffer.findIndex((view) => view.createdAt > createdAt);
    return buffer.splice(0, Math.min(max, first === -1 ? buffer.length : first));
  }

  async function storeAll(views: Message[]): Promise<void> {
    const room = Math.max(0, MAX_QUEUED - queued());
    dropped += Math.max(0, views.length - room);
    const kept = views.slice(0, room);
    for (let from = 0; from < kept.length; from += MAX_BATCH) {
      try {
        if (from > 0) await new Promise<void>((resolve) => after(BATCH_PAUSE_MS, resolve));
        await store(kept.slice(from, from + MAX_BATCH));
        hasWriteFailed = false;
      } catch (error) {
        if (!hasWriteFailed)
          logger.error({ err: error }, 'views could not be written: they are kept in memory');
        hasWriteFailed = true;
        buffer = [...kept.slice(from), ...buffer];
        return;
      }
    }
  }

  return {
    /** Never throws, never waits. */
    add({ postId, address }: { postId: string; address: string }): void {
      if (size() >= MAX_BUFFERED) dropped++;
      else {
        const payload = { postId, ip_addr: address };
        const about = { createdAt: now(), traceparent: traceparent() };
        buffer.push({ id: `${idPrefix}-${++added}`, kind: 'view', payload, ...about });
        pump();
      }
      storeSoon();
    },
    /** Views that are in no queue yet. */
    size,
    /** Sends no more. Stores what is left, once what is in flight has ended, or after `graceMs`. */
    async close(graceMs: number): Promise<void> {
      isClosing = true;
      cancelStore?.();
      const isOver = new Promise<void>((resolve) => after(graceMs, resolve));
      await Promise.race([Promise.all(sending), isOver]);
      await storing;
      await storeAll([...failed.splice(0), ...buffer.splice(0)]);
      if (buffer.length > 0)
        logger.error({ views: buffer.length }, 'views could not be kept: they are not counted');
    },
  };
}

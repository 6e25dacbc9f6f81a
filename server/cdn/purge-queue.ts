import type { Logger } from 'pino';
import { isTransientStatus } from '#server/outgoing-requests.ts';
import { after } from '#server/time.ts';
import type { CdnVendor, PurgeCall } from './cdn-vendors.ts';

/** Wait this long (ms) for more tags before a batch is sent. */
const BATCH_MS = 100;
/** Above it, one purge of everything takes the place of the queue. */
const MAX_QUEUED_TAGS = 10_000;
const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 30_000;

/** What became of a purge call: a failed one is tried again, a rejected one would be rejected again. */
export type PurgeOutcome = 'ok' | 'failed' | 'rejected';

export interface PurgeQueueOptions {
  vendor: CdnVendor;
  /** Sends one call. Resolves with the status of its response. */
  send: (call: PurgeCall) => Promise<{ status: number }>;
  onPurged: (outcome: PurgeOutcome) => void;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** What one call of the queue purges. No tags: everything. */
interface Batch {
  tags: string[];
  soft: boolean;
}

/**
 * Queue of purges at the CDN: tags in batches, each tag once, in order; a failed call is tried again with exponential
 * backoff until it succeeds. The queue is bounded: past 10,000 tags everything is purged at once.
 */
export function createPurgeQueue({ vendor, send, onPurged, logger }: PurgeQueueOptions) {
  /** Tags, and whether a soft purge is all that was asked for. */
  const queue = new Map<string, boolean>();
  /** A purge of everything waits, which takes the place of all tags. */
  let isAllQueued = false;
  let backoffMs = 0;
  let sending: Promise<void> | null = null;
  let isClosing = false;
  let endPause: () => void = () => undefined;

  const size = () => (isAllQueued ? 1 : queue.size);

  function sendSoon(): void {
    if (!isClosing) sending ??= sendQueued();
  }

  async function sendQueued(): Promise<void> {
    // A purge of everything waits too: other instances learn of it first, and what they have of before would be kept again.
    await pause(BATCH_MS);
    while (size() > 0 && !(isClosing && backoffMs > 0)) {
      await sendBatch(nextBatch());
      if (backoffMs > 0) await pause(backoffMs);
    }
    sending = null;
  }

  async function pause(ms: number): Promise<void> {
    if (isClosing) return;
    await new Promise<void>((resolve) => {
      endPause = resolve;
      after(ms, resolve);
    });
  }

  function nextBatch(): Batch {
    if (isAllQueued) return { tags: [], soft: false };
    // A call purges tags of one kind: that of the first.
    const soft = queue.values().next().value ?? false;
    const tags: string[] = [];
    let length = 0;
    for (const [tag, isSoft] of queue) {
      if (isSoft !== soft) continue;
      length += tag.length + 1;
      if (tags.length === vendor.maxTags || (tags.length > 0 && length > vendor.maxTagLength)) break;
      tags.push(tag);
    }
    return { tags, soft };
  }

  function queueTag(tag: string, soft: boolean): void {
    if (isAllQueued) return;
    queue.set(tag, soft && (queue.get(tag) ?? true));
    if (queue.size > MAX_QUEUED_TAGS) queueAll();
  }

  function queueAll(): void {
    queue.clear();
    isAllQueued = true;
  }

  async function sendBatch(batch: Batch): Promise<void> {
    const { tags, soft } = batch;
    const all = tags.length === 0;
    // What is asked for while the call is under way is asked for again after it.
    if (all) isAllQueued = false;
    for (const tag of tags) queue.delete(tag);
    try {
      const { status } = await send(all ? vendor.purgeAll() : vendor.purgeTags(tags, soft));
      if (status >= 400 && !isTransientStatus(status)) return await divide(batch, status);
      if (status < 200 || status > 299) throw new Error(`the CDN responded ${status}`);
      backoffMs = 0;
      onPurged('ok');
    } catch (err) {
      if (all) isAllQueued = true;
      for (const tag of tags) queueTag(tag, soft);
      onPurged('failed');
      backoffMs = backoffMs === 0 ? FIRST_BACKOFF_MS : Math.min(MAX_BACKOFF_MS, 2 * backoffMs);
      logger.warn({ err, tags: tags.length, retryInMs: backoffMs }, 'purge at the CDN failed');
    }
  }

  /** Sends each half of a batch that the CDN rejects: one bad tag keeps no other from being purged. */
  async function divide(batch: Batch, status: number): Promise<void> {
    onPurged('rejected');
    const { tags } = batch;
    const half = Math.ceil(tags.length / 2);
    if (tags.length < 2) logger.error({ status, tags }, 'the CDN rejected a purge');
    else
      for (const part of [tags.slice(0, half), tags.slice(half)]) await sendBatch({ ...batch, tags: part });
  }

  return {
    /** Queues tags. A hard purge of a tag takes the place of a soft one. */
    purgeTags(tags: readonly string[], soft: boolean): void {
      for (const tag of tags) queueTag(tag, soft);
      sendSoon();
    },
    purgeAll(): void {
      queueAll();
      sendSoon();
    },
    /** Tags that wait; a purge of everything counts as one. */
    size,
    /** Sends what waits, once each; what has not succeeded then is lost with the process. */
    async close(): Promise<void> {
      isClosing = true;
      backoffMs = 0;
      endPause();
      await sending;
      if (size() > 0) logger.warn({ tags: size() }, 'purges at the CDN are lost');
    },
  };
}

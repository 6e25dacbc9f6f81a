import type { Logger } from 'pino';
import { isTransientStatus } from '#server/transient-status.ts';
import type { CdnVendor, PurgeCall } from './cdn-vendors.ts';

/** Wait this long (ms) for more tags before a batch is sent. */
const BATCH_MS = 100;
/** Above it, one purge of everything takes the place of the queue. */
const MAX_QUEUED_TAGS = 10_000;
const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 30_000;
/** What `Retry-After` asks for at most. More would also overflow a timer, which then ends at once. */
const MAX_RETRY_AFTER_MS = 300_000;

/** What became of a purge call: a failed one is tried again, a rejected one would be rejected again. */
export type PurgeOutcome = 'ok' | 'failed' | 'rejected';

export interface PurgeQueueOptions {
  vendor: CdnVendor;
  /** Sends one call. Resolves with the status of its response, and what its `Retry-After` asks for (ms). */
  send: (call: PurgeCall) => Promise<{ status: number; retryAfterMs: number | null }>;
  /** Calls back after so many milliseconds; returns what cancels it. */
  later: (work: () => void, ms: number) => () => void;
  onPurged: (outcome: PurgeOutcome) => void;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** What one call of the queue purges. */
interface Batch {
  tags: string[];
  soft: boolean;
  all: boolean;
}

/**
 * Queue of purges at the CDN: tags in batches, each tag once, in order; a failed call is tried again with exponential
 * backoff until it succeeds. The queue is bounded: past 10,000 tags everything is purged at once.
 */
export function createPurgeQueue({ vendor, send, later, onPurged, logger }: PurgeQueueOptions) {
  /** Tags, and whether a soft purge is all that was asked for. */
  const queue = new Map<string, boolean>();
  let purgesAll = false;
  let cancel: (() => void) | null = null;
  let sending: Promise<void> | null = null;
  let failures = 0;
  let isClosed = false;

  function schedule(ms: number): void {
    if (cancel !== null || sending !== null || isClosed) return;
    cancel = later(() => {
      cancel = null;
      sending = sendBatch().finally(() => {
        sending = null;
        if (size() > 0) schedule(failures === 0 ? 0 : backoff);
      });
    }, ms);
  }

  let backoff = FIRST_BACKOFF_MS;

  function size(): number {
    return purgesAll ? 1 : queue.size;
  }

  function nextBatch(): Batch {
    if (purgesAll) return { tags: [], soft: false, all: true };
    const [[, soft = false] = []] = queue;
    const tags: string[] = [];
    let length = 0;
    for (const [tag, isSoft] of queue) {
      if (isSoft !== soft) continue;
      length += tag.length + 1;
      if (tags.length === vendor.maxTags || (tags.length > 0 && length > vendor.maxTagLength)) break;
      tags.push(tag);
    }
    return { tags, soft, all: false };
  }

  /** What is asked for while a call is under way is asked for again after it. */
  function take({ tags, all }: Batch): void {
    if (all) purgesAll = false;
    for (const tag of tags) queue.delete(tag);
  }

  function putBack({ tags, soft, all }: Batch): void {
    if (all) purgesAll = true;
    for (const tag of tags) add(tag, soft);
  }

  function add(tag: string, soft: boolean): void {
    queue.set(tag, soft && (queue.get(tag) ?? true));
    if (queue.size <= MAX_QUEUED_TAGS) return;
    queue.clear();
    purgesAll = true;
  }

  /** Of a batch that the CDN refuses each half is sent again: one bad tag keeps no other from being purged. */
  async function sendBatch(batch: Batch = nextBatch()): Promise<void> {
    take(batch);
    let retryAfterMs: number | null = null;
    try {
      const response = await send(batch.all ? vendor.purgeAll() : vendor.purgeTags(batch.tags, batch.soft));
      if (response.retryAfterMs !== null) retryAfterMs = Math.min(response.retryAfterMs, MAX_RETRY_AFTER_MS);
      if (response.status >= 400 && !isTransientStatus(response.status)) {
        onPurged('rejected');
        const { tags } = batch;
        const half = Math.ceil(tags.length / 2);
        if (tags.length < 2) logger.error({ status: response.status, tags }, 'the CDN rejected a purge');
        else
          for (const part of [tags.slice(0, half), tags.slice(half)])
            await sendBatch({ ...batch, tags: part });
        return;
      }
      if (response.status < 200 || response.status > 299)
        throw new Error(`the CDN responded ${response.status}`);
      failures = 0;
      backoff = FIRST_BACKOFF_MS;
      onPurged('ok');
    } catch (err) {
      failures++;
      putBack(batch);
      onPurged('failed');
      backoff = retryAfterMs ?? Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
      logger.warn({ err, tags: batch.tags.length, retryInMs: backoff }, 'purge at the CDN failed');
    }
  }

  return {
    /** Queues tags. A hard purge of a tag takes the place of a soft one. */
    purgeTags(tags: readonly string[], soft: boolean): void {
      if (purgesAll) return;
      for (const tag of tags) if (!purgesAll) add(tag, soft);
      if (size() > 0) schedule(failures === 0 ? BATCH_MS : backoff);
    },
    /** Queues a purge of everything. */
    purgeAll(): void {
      queue.clear();
      purgesAll = true;
      // Not at once: other instances learn of it first, and what they have of before would be kept again.
      schedule(failures === 0 ? BATCH_MS : backoff);
    },
    /** Tags that wait; a purge of everything counts as one. */
    size,
    /** Sends what waits, once each, for at most `ms`; what has not succeeded then is lost with the process. */
    async close(ms: number): Promise<void> {
      isClosed = true;
      cancel?.();
      cancel = null;
      let isLate = false;
      const sendAll = async () => {
        await sending;
        const before = failures;
        while (size() > 0 && failures === before && !isLate) await sendBatch();
      };
      let stopWaiting = () => {};
      const late = new Promise<void>((resolve) => {
        stopWaiting = later(() => {
          isLate = true;
          resolve();
        }, ms);
      });
      await Promise.race([sendAll(), late]);
      stopWaiting();
      if (isLate || size() > 0) logger.warn({ tags: size() }, 'purges at the CDN are lost');
    },
  };
}

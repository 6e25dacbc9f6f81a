import type { After } from './clock.ts';
import { attemptDelivery, type Deliver } from './deliver.ts';
import { outcomeOf } from './delivery-outcome.ts';
import { createDeliveryWorker } from './delivery-worker.ts';
import { MAX_CONCURRENT_VIEWS, VIEW_INTERVAL_MS, VIEWS_AT_STOP } from './delivery-workers.ts';
import type { OutboxStore } from './outbox-store.ts';
import { createThrottle } from './throttle.ts';
import { type BufferedView, createViewBuffer } from './view-buffer.ts';

const COMMIT_MS = 250;
const VIEWS_ON_DISK = 100_000;

export interface ViewQueueOptions {
  store: OutboxStore | null;
  deliver: Deliver;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** Wall-clock milliseconds. */
  now: () => number;
  common: { random: () => number; monotonic: () => number; after: After };
  /** Told when there are more views on disk. */
  onWritten(): void;
}

/** Views on their way to the disk, written together; straight upstream while the disk takes none. */
export function createViewQueue({ store, deliver, logger, now, common, onWritten }: ViewQueueOptions) {
  let onDisk = waitingOnDisk();
  let diskRefuses = store === null;
  let dropped = 0;
  let started = false;
  let cancelCommit: (() => void) | null = null;
  const buffer = createViewBuffer((views) => store?.addViews(views));
  const worker = createDeliveryWorker<BufferedView>({
    ...common,
    concurrency: MAX_CONCURRENT_VIEWS,
    throttle: createThrottle(() => VIEW_INTERVAL_MS, common.monotonic),
    atStop: VIEWS_AT_STOP,
    next: (inFlight) => (diskRefuses ? buffer.first(inFlight) : null),
    attempt: deliverFromMemory,
    setAside: buffer.moveBack,
    onError: (error) => logger.error({ err: error }, 'a view could not be delivered'),
  });

  function waitingOnDisk(): number {
    return store?.counts().find(({ kind, state }) => kind === 'view' && state === 'waiting')?.n ?? 0;
  }

  async function deliverFromMemory(view: BufferedView): Promise<boolean> {
    buffer.hold(view);
    const { kind, payload, idempotencyKey } = buffer.itemOf(view);
    const attempt = await attemptDelivery(deliver, { kind, payload: JSON.parse(payload), idempotencyKey });
    buffer.letGo(view);
    view.attempts++;
    const { state, error } = outcomeOf(kind, attempt, false);
    if (error !== null)
      logger.warn({ kind, attempts: view.attempts, reason: error, state }, 'delivery failed');
    if (state === 'waiting') return false;
    buffer.remove(view);
    return true;
  }

  function commitSoon(): void {
    if (started) cancelCommit ??= common.after(COMMIT_MS, commit);
  }

  function commit(): void {
    cancelCommit = null;
    if (dropped > 0) logger.error({ dropped }, 'more views than can be kept: some are not counted');
    dropped = 0;
    write();
    if (buffer.size() > 0) commitSoon();
  }

  function write(): void {
    if (store && buffer.size() > 0) {
      try {
        onDisk += buffer.commit();
        diskRefuses = false;
        onWritten();
      } catch (error) {
        if (!diskRefuses) logger.error({ err: error }, 'views could not be written: they are kept in memory');
        diskRefuses = true;
      }
    }
    if (diskRefuses) worker.added();
  }

  function hasRoom(): boolean {
    return onDisk < VIEWS_ON_DISK && buffer.hasRoom();
  }

  /** Writes everything now, where the disk takes it. */
  function flush(): void {
    for (let left = Number.POSITIVE_INFINITY; buffer.size() > 0 && buffer.size() < left; ) {
      left = buffer.size();
      write();
    }
  }

  return {
    hasRoom,
    /** Never throws, never waits. */
    add({ postId, address }: { postId: string; address: string }): void {
      commitSoon();
      // Asked before anything is made: a flood must not cost memory.
      if (hasRoom()) buffer.add(postId, address, now());
      else dropped++;
    },
    /** Views that are not on disk. */
    size: buffer.size,
    /** One view on disk was settled. */
    leftDisk(): void {
      onDisk--;
    },
    /** Views came to the disk or left it past this queue. */
    recount(): void {
      onDisk = waitingOnDisk();
    },
    /** One view on disk waits again. */
    cameToDisk(): void {
      onDisk++;
    },
    start(): void {
      started = true;
      commitSoon();
    },
    flush,
    /** Writes also what is on its way upstream straight from memory: nobody will hear whether it arrived. */
    flushAll(): void {
      buffer.letAllGo();
      flush();
    },
    /** Delivers what the disk refuses, until one fails or `isOver`. */
    async stop(isOver: () => boolean): Promise<void> {
      started = false;
      cancelCommit?.();
      await worker.stop(isOver);
    },
  };
}

import type { Message, MessageCount, NewMessage } from './message.ts';
import type { After } from './outbox-clock.ts';
import type { StreamOutbox } from './redis-stream/stream-outbox.ts';
import { type OutboxStore, openMemoryStore } from './sqlite/outbox-store.ts';
import { createViewBuffer } from './view-buffer.ts';

const COMMIT_MS = 250;
/** Two thousand a second: more readers than that are served by several instances. */
const VIEWS_PER_COMMIT = 500;
/** Pending at most, on disk and while no disk takes any. */
const MAX_ON_DISK = 100_000;
const MAX_IN_MEMORY = 10_000;

export interface ViewQueueOptions {
  /** Null where there is no usable disk, or not yet. */
  disk: () => OutboxStore | null;
  stream: StreamOutbox | null;
  logger: { error(details: object, message: string): void };
  /** Wall-clock milliseconds. */
  now: () => number;
  after: After;
  /** On its way upstream, by its idempotency key. */
  isUnderWay: (key: string) => boolean;
  /** Told that views are pending. */
  onKept(): void;
}

/** Views on their way to where they are kept, a few times a second: in the stream, on disk, or in memory while neither takes them. */
export function createViewQueue(options: ViewQueueOptions) {
  const { disk, stream, logger, now, after, isUnderWay, onKept } = options;
  const buffer = createViewBuffer();
  const memory = openMemoryStore();
  let diskRefuses = false;
  let dropped = 0;
  let isOpen = false;
  let isClosed = false;
  let cancelCommit: (() => void) | null = null;
  let keeping: Promise<void> | null = null;

  const inMemory = () => pendingIn(memory);

  function hasRoom(): boolean {
    if (isClosed) return false;
    const store = disk();
    const kept = store && !diskRefuses ? pendingIn(store) + (stream ? pendingIn(stream) : 0) : inMemory();
    return buffer.hasRoom() && kept < (store && !diskRefuses ? MAX_ON_DISK : MAX_IN_MEMORY);
  }

  function commitSoon(): void {
    if (isOpen) cancelCommit ??= after(COMMIT_MS, commit);
  }

  function commit(): void {
    cancelCommit = null;
    if (dropped > 0) logger.error({ dropped }, 'more views than can be kept: some are not counted');
    dropped = 0;
    if (stream) {
      keeping ??= keep().finally(() => {
        keeping = null;
      });
    } else keepHere(buffer.take(VIEWS_PER_COMMIT), isIdle);
    if (buffer.size() > 0 || inMemory() > 0) commitSoon();
  }

  async function keep(): Promise<void> {
    const views = buffer.take(VIEWS_PER_COMMIT);
    if (await stream?.addViews(views)) {
      if (views.length > 0) onKept();
    } else keepHere(views, isIdle);
  }

  const isIdle = (view: Message) => !isUnderWay(view.idempotencyKey);

  /** Without Redis. What has been in memory goes to the disk first, as soon as it takes any. */
  function keepHere(views: readonly NewMessage[], mayMove: (view: Message) => boolean): void {
    const waiting = memory.pending('view', VIEWS_PER_COMMIT).filter(mayMove);
    if (views.length + waiting.length === 0) return;
    const store = disk();
    try {
      store?.addViews([...waiting, ...views]);
      diskRefuses = false;
    } catch (error) {
      if (!diskRefuses) logger.error({ err: error }, 'views could not be written: they are kept in memory');
      diskRefuses = true;
    }
    if (store && !diskRefuses) memory.remove(waiting);
    else memory.addViews(views);
    onKept();
  }

  return {
    hasRoom,
    memory,
    /** Never throws, never waits. */
    add(view: { postId: string; address: string }): void {
      commitSoon();
      // Asked before anything is made: a flood must not cost memory.
      if (hasRoom()) buffer.add({ ...view, createdAt: now() });
      else dropped++;
    },
    /** Views that are not on disk. */
    size: () => buffer.size() + (isClosed ? 0 : inMemory()),
    start(): void {
      isOpen = true;
      if (buffer.size() > 0) commitSoon();
    },
    /** Has all of them kept that can be. */
    async flush(): Promise<void> {
      isOpen = false;
      cancelCommit?.();
      await keeping;
      while (buffer.size() > 0) {
        if (stream) await keep();
        else keepHere(buffer.take(VIEWS_PER_COMMIT), isIdle);
      }
    },
    /** Writes also what is on its way upstream straight from memory: nobody will hear whether it arrived. */
    close(): void {
      isOpen = false;
      cancelCommit?.();
      do keepHere(buffer.take(VIEWS_PER_COMMIT), () => true);
      while (buffer.size() > 0 || (inMemory() > 0 && disk() && !diskRefuses));
      if (inMemory() > 0)
        logger.error({ views: inMemory() }, 'views could not be kept: they are not counted');
      isClosed = true;
      memory.close();
    },
  };
}

function pendingIn(store: { counts(): readonly MessageCount[] }): number {
  return store.counts().find(({ kind, state }) => kind === 'view' && state === 'waiting')?.n ?? 0;
}

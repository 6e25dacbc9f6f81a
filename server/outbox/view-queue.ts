import { randomUUID } from 'node:crypto';
import type { Message, MessageStore, NewMessage } from './message.ts';
import type { After } from './outbox-clock.ts';
import type { StreamOutbox } from './redis-stream/stream-outbox.ts';
import { type OutboxStore, openMemoryStore } from './sqlite/outbox-store.ts';

const COMMIT_MS = 250;
/** Two thousand a second: more page views than that need several instances. */
const VIEWS_PER_COMMIT = 500;
/** Between two commits at most. */
const MAX_BUFFERED = 10_000;
/** Pending at most, on disk, and in memory while no disk takes any. */
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
  /** Returns that of the request; null where it is not sampled. */
  traceparent: () => string | null;
  /** By idempotency key. */
  isInFlight: (key: string) => boolean;
  /** Told that views are pending. */
  onAdded(): void;
}

/** Collects views and stores them a few times a second: in the stream, on disk, or in memory while neither takes them. */
export function createViewQueue({
  disk,
  stream,
  logger,
  now,
  after,
  traceparent,
  isInFlight,
  onAdded,
}: ViewQueueOptions) {
  const memory = openMemoryStore();
  const keyPrefix = randomUUID();
  let buffer: (Pick<NewMessage, 'createdAt' | 'traceparent'> & { postId: string; address: string })[] = [];
  let taken = 0;
  /** Views that the stores have room for, as of the last commit: a flood must not cost a query each. */
  let room = MAX_BUFFERED;
  let dropped = 0;
  let diskRefuses = false;
  let isOpen = false;
  let isClosed = false;
  let cancelCommit: (() => void) | null = null;
  let adding: Promise<void> | null = null;

  const isIdle = (view: Message) => !isInFlight(view.idempotencyKey);
  const hasRoom = () => !isClosed && buffer.length < Math.min(room, MAX_BUFFERED);

  /** Takes the first out of the buffer. There may be thousands a second: a message is made of one only here. */
  function takeBuffered(): NewMessage[] {
    const views = buffer.slice(0, VIEWS_PER_COMMIT);
    buffer = buffer.slice(VIEWS_PER_COMMIT);
    return views.map(({ postId, address, ...view }) => ({
      ...view,
      kind: 'view',
      payload: JSON.stringify({ postId, ip_addr: address }),
      idempotencyKey: `${keyPrefix}-${++taken}`,
    }));
  }

  function commitSoon(): void {
    if (isOpen) cancelCommit ??= after(COMMIT_MS, commit);
  }

  function commit(): void {
    cancelCommit = null;
    if (dropped > 0) logger.error({ dropped }, 'more views than can be kept: some are not counted');
    dropped = 0;
    if (stream) {
      adding ??= addToStream(stream).finally(() => {
        adding = null;
      });
    } else addHere(takeBuffered(), isIdle);
    if (buffer.length > 0 || pendingIn(memory) > 0) commitSoon();
    const store = disk();
    room =
      store && !diskRefuses
        ? MAX_ON_DISK - pendingIn(store) - (stream ? pendingIn(stream) : 0)
        : MAX_IN_MEMORY - pendingIn(memory);
  }

  async function addToStream(streams: StreamOutbox): Promise<void> {
    const views = takeBuffered();
    if (!(await streams.addViews(views))) addHere(views, isIdle);
    else if (views.length > 0) onAdded();
  }

  /** Adds views to the disk, after those in memory that may move there. While the disk refuses, adds them to memory. */
  function addHere(views: readonly NewMessage[], mayMove: (view: Message) => boolean): void {
    const inMemory = memory.pending('view', VIEWS_PER_COMMIT).filter(mayMove);
    if (views.length + inMemory.length === 0) return;
    const store = disk();
    try {
      store?.addViews([...inMemory, ...views]);
      diskRefuses = false;
    } catch (error) {
      if (!diskRefuses) logger.error({ err: error }, 'views could not be written: they are kept in memory');
      diskRefuses = true;
    }
    if (store && !diskRefuses) memory.remove(inMemory);
    else memory.addViews(views);
    onAdded();
  }

  return {
    memory,
    /** Never throws, never waits. */
    add(view: { postId: string; address: string }): void {
      commitSoon();
      if (hasRoom()) buffer.push({ ...view, createdAt: now(), traceparent: traceparent() });
      else dropped++;
    },
    /** Views that are in no store yet. */
    size: () => buffer.length,
    start(): void {
      isOpen = true;
      if (buffer.length > 0) commitSoon();
    },
    /** Stores all buffered views. */
    async flush(): Promise<void> {
      isOpen = false;
      cancelCommit?.();
      await adding;
      while (buffer.length > 0) {
        if (stream) await addToStream(stream);
        else addHere(takeBuffered(), isIdle);
      }
    },
    /** Writes also what is in flight from memory: nobody will hear whether it was delivered. */
    close(): void {
      isOpen = false;
      cancelCommit?.();
      do addHere(takeBuffered(), () => true);
      while (buffer.length > 0 || (pendingIn(memory) > 0 && disk() && !diskRefuses));
      const lost = pendingIn(memory);
      if (lost > 0) logger.error({ views: lost }, 'views could not be kept: they are not counted');
      isClosed = true;
      memory.close();
    },
  };
}

function pendingIn(store: Pick<MessageStore, 'counts'>): number {
  return store.counts().find(({ kind, state }) => kind === 'view' && state === 'pending')?.n ?? 0;
}

import { OutboxUnavailable } from '#server/errors.ts';
import { NO_TRACING, type Tracing } from '#server/tracing/tracing.ts';
import { createMessageDelivery } from './delivery/deliver-message.ts';
import type { Deliver } from './delivery/delivery-attempt.ts';
import { createDeliveryWorkers } from './delivery/delivery-workers.ts';
import type {
  Message,
  MessageCount,
  MessageState,
  MessageStore,
  OutboxDepth,
  OutboxEntry,
  OutboxKind,
  SubmissionKind,
} from './message.ts';
import { type After, afterSystemTime, type OutboxClock, systemClock } from './outbox-clock.ts';
import { createStreamMover } from './redis-stream/stream-mover.ts';
import type { StreamOutbox } from './redis-stream/stream-outbox.ts';
import { createMaintenance } from './sqlite/maintenance.ts';
import { openOutboxFolder } from './sqlite/outbox-folder.ts';
import { createSubmissionAcceptance } from './submission-acceptance.ts';
import { createViewQueue } from './view-queue.ts';

export type { MessageState, SubmissionKind } from './message.ts';

/** Durable queue of submissions and views to the upstream. */
export type Outbox = ReturnType<typeof openOutbox>;

export interface OutboxOptions {
  dir: string;
  deliver: Deliver;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  clock?: OutboxClock;
  random?: () => number;
  timers?: After;
  /** The outbox of all instances, where there are several. */
  stream?: StreamOutbox | null;
  /** Whether requests take nearly all of the process's time. */
  isBusy?: () => boolean;
  /** How long a predecessor may keep the folder's lock, in milliseconds (`docs/decisions/0006`). */
  waitMs?: number;
  /** How long a submission waits for the lock, in milliseconds. */
  submitMs?: number;
  /** Told the state after each attempt. */
  onDelivery?: (kind: OutboxKind, state: MessageState) => void;
  tracing?: Pick<Tracing, 'child' | 'root' | 'current' | 'outside'>;
}

/** Deliveries during a stop must not use up its time: what is left is on disk. */
const LAST_DELIVERIES_MS = 2_000;
/** How often the streams are counted, and messages moved to them. */
const STREAM_INTERVAL_MS = 1_000;

/**
 * Opens the outbox of a folder. Throws `OutboxLocked` where another server has it and `waitMs` is 0. Without a usable disk
 * submissions are forwarded and views are kept in memory.
 */
export function openOutbox(options: OutboxOptions) {
  const {
    dir,
    deliver,
    logger,
    clock = systemClock,
    random = Math.random,
    timers = afterSystemTime,
    stream = null,
    isBusy = () => false,
    waitMs = 0,
    submitMs = 0,
    onDelivery = () => undefined,
    tracing = NO_TRACING,
  } = options;
  const { monotonic } = clock;
  // A worker that a request wakes delivers what others have sent.
  const after: After = (ms, work) => timers(ms, () => tracing.outside(work));
  const openedAt = clock.now() - monotonic();
  const now = () => Math.round(openedAt + monotonic());
  let isStarted = false;
  let closing: Promise<void> | null = null;
  let isClosed = false;
  let cancelTending: () => void = () => undefined;
  let tending: Promise<void> = Promise.resolve();

  const folder = openOutboxFolder({
    dir,
    waitMs,
    submitMs,
    logger,
    after,
    onOpened() {
      if (isStarted) startDisk();
    },
  });
  const disk = folder.store;
  const delivery = createMessageDelivery({
    deliver,
    logger,
    onDelivery,
    onCompleted({ kind }) {
      if (kind !== 'view') maintenance.eraseSoon();
    },
    onUnrecorded: () => workers.wake(),
  });
  const { isInFlight } = delivery;
  const views = createViewQueue({
    disk,
    stream,
    logger,
    now,
    after,
    traceparent: tracing.current,
    isInFlight,
    onAdded: () => workers.wake(),
  });
  const localStores = () => (isClosed ? [] : [disk(), views.memory].filter((store) => store !== null));
  const stores = () => (stream && !isClosed ? [...localStores(), stream] : localStores());
  const mover = stream && createStreamMover({ stream, stores: localStores, isInFlight });
  const workers = createDeliveryWorkers({
    stores,
    moving: mover?.moving ?? new Set<Message>(),
    delivery: {
      ...delivery,
      deliver(message) {
        const { kind, traceparent } = message;
        const deliver = () => delivery.deliver(message);
        return traceparent === null
          ? deliver()
          : tracing.root(`outbox deliver ${kind}`, traceparent, deliver);
      },
    },
    isBusy,
    random,
    monotonic,
    after,
    onError: (error, kind) => logger.error({ err: error, kind }, 'the outbox could not be read or written'),
  });
  const submissions = createSubmissionAcceptance({
    disk: folder.soon,
    stream,
    delivery: {
      deliver: (message) =>
        tracing.child(`outbox deliver ${message.kind}`, {}, () => delivery.deliver(message)),
    },
    deliver,
    onDelivery,
    traceparent: tracing.current,
    now,
    logger,
    onAttempt({ kind }, state) {
      if (closing) return;
      if (state === 'pending') workers.failed(kind);
      else workers.resume(kind);
    },
  });
  const maintenance = createMaintenance({
    store: disk,
    now,
    after,
    onError: (error, message) => logger.error({ err: error }, message),
  });

  function startDisk(): void {
    maintenance.start();
    workers.wake();
  }

  /** Counts what is in the streams, moves there what was kept here while Redis was down, and delivers what others added. */
  function tendStreams(): void {
    tending = Promise.all([stream?.refreshCounts(now()), mover?.move()])
      .catch((error: unknown) => logger.error({ err: error }, 'the outbox could not be moved to Redis'))
      .then(() => {
        if (closing) return;
        workers.wake();
        cancelTending = after(STREAM_INTERVAL_MS, tendStreams);
      });
  }

  async function stop(graceMs: number): Promise<void> {
    maintenance.stop();
    cancelTending();
    folder.stopWaiting();
    const lastDelivery = monotonic() + Math.min(graceMs / 2, LAST_DELIVERIES_MS);
    const isOver = new Promise<void>((resolve) => after(graceMs, resolve));
    await Promise.race([finish(() => monotonic() >= lastDelivery), isOver]).catch(() => undefined);
    closeStores();
  }

  async function finish(isOver: () => boolean): Promise<void> {
    await views.flush();
    await workers.stop(isOver);
    await delivery.drain();
    await tending;
    await mover?.move();
  }

  function closeStores(): void {
    if (isClosed) return;
    isClosed = true;
    cancelTending();
    folder.stopWaiting();
    delivery.close();
    views.close();
    disk()?.close();
  }

  function countsOf(some: readonly MessageStore[]): MessageCount[] {
    const buffered: MessageCount = { kind: 'view', state: 'pending', n: views.size() };
    return [buffered, ...some.flatMap((store) => store.counts())];
  }

  function depthOf(some: readonly MessageStore[]): OutboxDepth {
    const all = countsOf(some);
    const sum = (isMeant: (count: MessageCount) => boolean) =>
      all.reduce((total, count) => total + (isMeant(count) ? count.n : 0), 0);
    return {
      submissions: sum(({ kind, state }) => state === 'pending' && kind !== 'view'),
      views: sum(({ kind, state }) => state === 'pending' && kind === 'view'),
      rejected: sum(({ state }) => state === 'rejected'),
      oldestSeconds: Math.max(0, ...some.map((store) => store.oldestSeconds(now()))),
    };
  }

  return {
    /** Resolves when this server holds the folder's lock: at once, except in a zero-downtime restart. Rejects with `OutboxLocked`. */
    owned: folder.owned,

    /**
     * Stores a submission, makes one attempt at once and returns the state after it. Throws `OutboxUnavailable` where it
     * could neither be kept nor delivered.
     */
    async submit(kind: SubmissionKind, payload: object): Promise<MessageState> {
      if (closing) throw new OutboxUnavailable(new Error('the outbox is closing'));
      return submissions.submit(kind, payload);
    },

    /** Counts a view. Never throws, never waits: views are written together a few times a second. */
    countView: views.add,

    /** Lists rejected messages before pending ones: at most 500 of this instance's file, then 500 of the stream of all. */
    async list(): Promise<OutboxEntry[]> {
      return [...(disk()?.list() ?? []), ...((await stream?.list()) ?? [])];
    },

    /**
     * Attempts a message at once; a rejected one becomes pending first. False where none has this id. Rejects with
     * `OutboxUnavailable` where the disk does not take that: it stays rejected.
     */
    async retry(id: number | string): Promise<boolean> {
      try {
        const kind = typeof id === 'number' ? disk()?.retry(id) : await stream?.retry(id);
        if (!kind) return false;
        workers.resume(kind);
        return true;
      } catch (error) {
        throw new OutboxUnavailable(error);
      }
    },

    /** Counts messages by kind and state, in all stores. A kind and state may come more than once. */
    counts: () => countsOf(stores()),

    depth: () => depthOf(stores()),

    /** What this instance alone holds, on its disk and in memory: without the stream of all instances. */
    localDepth: () => depthOf(localStores()),

    start(): void {
      isStarted = true;
      views.start();
      workers.wake();
      if (disk()) startDisk();
      if (stream) tendStreams();
    },

    /** Takes nothing more, stores buffered views, attempts what is new once more, closes the file. */
    close: (graceMs: number): Promise<void> => (closing ??= stop(graceMs)),

    /** Stores buffered views and closes the file, without waiting for anything. */
    closeImmediately(): void {
      closing ??= Promise.resolve();
      closeStores();
    },
  };
}

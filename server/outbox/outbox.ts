import type { Deliver } from './delivery/deliver.ts';
import { createMessageDelivery } from './delivery/deliver-message.ts';
import { createDeliveryWorkers } from './delivery/delivery-workers.ts';
import type {
  Message,
  MessageCount,
  MessageStore,
  OutboxDepth,
  OutboxEntry,
  OutboxKind,
  OutboxState,
  SubmissionKind,
} from './message.ts';
import { type After, afterSystemTime, type OutboxClock, systemClock } from './outbox-clock.ts';
import { createStreamMover } from './redis-stream/stream-mover.ts';
import type { StreamOutbox } from './redis-stream/stream-outbox.ts';
import { createMaintenance } from './sqlite/maintenance.ts';
import { openOutboxFolder } from './sqlite/outbox-folder.ts';
import type { OutboxStore } from './sqlite/outbox-store.ts';
import { createSubmissions, type Delivery, OutboxUnavailable } from './submissions.ts';
import { createViewQueue } from './view-queue.ts';

export type { SubmissionKind } from './message.ts';
export { type Delivery, OutboxUnavailable } from './submissions.ts';

/** Durable queue of what readers send, on its way upstream. */
export interface Outbox {
  /** Kept first, then one attempt at once. Throws `OutboxUnavailable` where neither could be done. */
  submit(kind: SubmissionKind, payload: object): Promise<Delivery>;
  /** Never throws, never waits: views are written together a few times a second. */
  countView(view: { postId: string; address: string }): void;
  /** False in a flood: the next view would only be counted as lost. */
  hasRoomForView(): boolean;
  /** What is pending and what was refused, submissions first, at most 500 of this instance and 500 of all together. */
  list(): Promise<OutboxEntry[]>;
  /**
   * Tries a message at once, a refused one again. False where none of that id is pending or was refused. Rejects with
   * `OutboxUnavailable` where the disk does not take it that a refused one is pending again: it stays refused.
   */
  retry(id: number | string): Promise<boolean>;
  depth(): OutboxDepth;
  /** Counts messages by kind and state, on disk, in memory and in the stream of all instances. A kind may come twice. */
  counts(): MessageCount[];
  /** Resolves when the folder is this server's: at once, but for a hand-over. Rejects with `OutboxLocked`. */
  owned: Promise<void>;
  start(): void;
  /** Takes nothing more, writes the views that wait in memory, tries what is new once more, closes the file. */
  close(graceMs: number): Promise<void>;
  /** Writes the views that wait in memory and closes the file, without waiting for anything. */
  closeAtOnce(): void;
}

export interface OutboxOptions {
  dir: string;
  deliver: Deliver;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  clock?: OutboxClock;
  random?: () => number;
  timers?: After;
  /** That of all instances; none where it is not given. */
  stream?: StreamOutbox | null;
  /** Whether readers take nearly all of the process's time. */
  isBusy?: () => boolean;
  /** How long a predecessor may take to let go of the folder (`docs/decisions/0006`). */
  waitMs?: number;
  /** How long a submission waits for the folder before it is refused. */
  submitMs?: number;
  /** Told of each attempt's outcome: the state that it left its message in. */
  onDelivery?: (kind: OutboxKind, state: OutboxState) => void;
}

/** Delivering during a stop is a courtesy, for what is left is on disk: it must not use up the stop's time. */
const LAST_DELIVERIES_MS = 2_000;
/** How often an instance looks after the stream. */
const LOOK_EVERY_MS = 1_000;

/**
 * Opens the outbox of a folder. Throws `OutboxLocked` where another server has it and is not to be waited for; without a
 * usable disk submissions are forwarded and views kept in memory.
 */
export function openOutbox(options: OutboxOptions): Outbox {
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
  } = options;
  const { monotonic } = clock;
  const openedAt = clock.now() - monotonic();
  const now = () => Math.round(openedAt + monotonic());
  let started = false;
  let closing: Promise<void> | null = null;
  let closed = false;
  let cancelLook: () => void = () => undefined;
  let looking: Promise<void> = Promise.resolve();

  const folder = openOutboxFolder({
    dir,
    waitMs,
    submitMs,
    logger,
    after: timers,
    onOpened() {
      if (started) startWithDisk();
    },
  });
  const disk = folder.store;
  const delivery = createMessageDelivery({
    deliver,
    logger,
    onDelivery,
    onSettled({ kind }) {
      if (kind !== 'view') maintenance.eraseSoon();
    },
    onUnrecorded: ({ kind }) => workers.added(kind),
  });
  const views = createViewQueue({
    disk,
    stream,
    logger,
    now,
    after: timers,
    isUnderWay: delivery.isUnderWay,
    onKept: () => workers.added('view'),
  });
  const stores = (): OutboxStore[] => [disk(), views.memory].filter((store) => store !== null);
  const mover =
    stream && createStreamMover({ stream, stores, isUnderWay: delivery.isUnderWay, isClosed: () => closed });
  const workers = createDeliveryWorkers({
    stores: (): MessageStore[] => (closed ? [] : stream ? [...stores(), stream] : stores()),
    moving: mover?.moving ?? new Set<Message>(),
    delivery,
    isBusy,
    random,
    monotonic,
    after: timers,
    onError: (error, kind) => logger.error({ err: error, kind }, 'the outbox could not be read or written'),
  });
  const submissions = createSubmissions({
    disk: folder.soon,
    stream,
    delivery,
    deliver,
    onDelivery,
    now,
    logger,
    onAttempt({ kind }, state) {
      if (closing) return;
      if (state === 'waiting') workers.failed(kind);
      else workers.resume(kind);
    },
  });
  const maintenance = createMaintenance({
    store: disk,
    now,
    after: timers,
    onError: (error, message) => logger.error({ err: error }, message),
  });

  function startWithDisk(): void {
    maintenance.start();
    workers.wakeAll();
  }

  /** What others have added, what a dead instance had in hand, and what was kept here while Redis was away. */
  function look(): void {
    looking = Promise.all([stream?.look(now()), mover?.move()])
      .catch((error: unknown) => logger.error({ err: error }, 'the outbox could not be moved to Redis'))
      .then(() => {
        if (closing) return;
        workers.wakeAll();
        cancelLook = timers(LOOK_EVERY_MS, look);
      });
  }

  async function stop(graceMs: number): Promise<void> {
    maintenance.stop();
    cancelLook();
    folder.stopWaiting();
    const lastDelivery = monotonic() + Math.min(graceMs / 2, LAST_DELIVERIES_MS);
    await within(
      graceMs,
      finish(() => monotonic() >= lastDelivery),
    );
    letGo();
  }

  async function finish(isOver: () => boolean): Promise<void> {
    await views.flush();
    await workers.stop(isOver);
    await delivery.settle();
    await looking;
    await mover?.move();
  }

  function letGo(): void {
    if (closed) return;
    closed = true;
    cancelLook();
    folder.stopWaiting();
    delivery.close();
    views.close();
    disk()?.close();
  }

  function within(ms: number, work: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = timers(ms, () => resolve());
      const end = () => {
        cancel();
        resolve();
      };
      work.then(end, end);
    });
  }

  /** The kind of what is pending now; null where nothing of that id is. */
  function retryHere(id: number): SubmissionKind | 'view' | null {
    const store = disk();
    const message = store?.get(id);
    if (!store || !message) return null;
    try {
      return message.state === 'waiting' || store.retry(id) ? message.kind : null;
    } catch (error) {
      throw new OutboxUnavailable(error);
    }
  }

  function counts(): MessageCount[] {
    const inMemory: MessageCount = { kind: 'view', state: 'waiting', n: views.size() };
    return [...(disk()?.counts() ?? []), inMemory, ...(stream?.counts() ?? [])];
  }

  return {
    owned: folder.owned,

    async submit(kind, payload) {
      if (closing) throw new OutboxUnavailable(new Error('the outbox is closing'));
      return submissions.submit(kind, payload);
    },

    countView: views.add,
    hasRoomForView: views.hasRoom,

    async list() {
      const here = disk()?.list() ?? [];
      return stream ? [...here, ...(await stream.list())] : here;
    },

    async retry(id) {
      const kind = typeof id === 'number' ? retryHere(id) : ((await stream?.retry(id)) ?? null);
      if (kind === null) return false;
      workers.resume(kind);
      workers.added(kind);
      return true;
    },

    counts,

    depth() {
      const all = counts();
      const sum = (isMeant: (count: MessageCount) => boolean) =>
        all.reduce((total, count) => total + (isMeant(count) ? count.n : 0), 0);
      const oldest = disk()?.oldest() ?? now();
      return {
        submissions: sum(({ kind, state }) => state === 'waiting' && kind !== 'view'),
        views: sum(({ kind, state }) => state === 'waiting' && kind === 'view'),
        refused: sum(({ state }) => state === 'refused'),
        oldestSeconds: Math.max(stream?.oldestSeconds() ?? 0, Math.round(Math.max(0, now() - oldest) / 1000)),
      };
    },

    start() {
      started = true;
      views.start();
      workers.wakeAll();
      if (disk()) startWithDisk();
      if (stream) look();
    },

    close: (graceMs) => (closing ??= stop(graceMs)),

    closeAtOnce() {
      closing ??= Promise.resolve();
      letGo();
    },
  };
}

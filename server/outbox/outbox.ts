import { randomBytes } from 'node:crypto';
import { type After, afterSystemTime, type OutboxClock, systemClock } from './clock.ts';
import type { Deliver } from './deliver.ts';
import type { DeliveryWorker } from './delivery-worker.ts';
import { createDeliveryWorkers } from './delivery-workers.ts';
import { createHousekeeping } from './housekeeping.ts';
import { depthOf, entryOf, type OutboxDepth, type OutboxEntry } from './outbox-report.ts';
import type { ListedRow, OutboxKind } from './outbox-row.ts';
import { type OutboxStore, openOutboxStore } from './outbox-store.ts';
import { createPeering } from './peering.ts';
import type { OutboxPeers } from './peers.ts';
import { OutboxLocked } from './private-file.ts';
import { createRowDelivery } from './row-delivery.ts';
import { createSubmissions, type Delivery, OutboxUnavailable, type SubmissionKind } from './submissions.ts';
import { createViewQueue } from './view-queue.ts';

export { type Delivery, OutboxUnavailable, type SubmissionKind } from './submissions.ts';

/** Durable queue of what readers send, on its way upstream. */
export interface Outbox {
  /** On disk first, then one attempt at once. Throws `OutboxUnavailable` where neither could be done. */
  submit(kind: SubmissionKind, payload: object): Promise<Delivery>;
  /** Never throws, never waits: views are written together a few times a second. */
  countView(view: { postId: string; address: string }): void;
  /** False in a flood: the next view would only be counted as lost. */
  hasRoomForView(): boolean;
  /** What waits and what was refused, submissions first, at most 500. */
  list(): OutboxEntry[];
  /**
   * Tries an item at once, a refused one again. False where none of that id waits or was refused. Throws
   * `OutboxUnavailable` where the disk does not take it that a refused one waits again: it stays refused.
   */
  retry(id: number): boolean;
  depth(): OutboxDepth;
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
  /** The outboxes of other instances, for the name of this one; none where it is not given. */
  peersOf?: ((instance: string) => OutboxPeers) | undefined;
  /** Whether readers take nearly all of the process's time. */
  isBusy?: () => boolean;
}

/** Delivering during a stop is a courtesy, for what is left is on disk: it must not use up the stop's time. */
const LAST_DELIVERIES_MS = 2_000;

/** Opens the outbox of a folder. Throws `OutboxLocked` where another server has it; without a usable disk it works from memory. */
export function openOutbox(options: OutboxOptions): Outbox {
  const {
    dir,
    deliver,
    logger,
    clock = systemClock,
    random = Math.random,
    timers = afterSystemTime,
    peersOf,
    isBusy = () => false,
  } = options;
  const { monotonic } = clock;
  const store = openStore(dir, logger);
  const secret = store?.secret('digest', () => randomBytes(32)) ?? randomBytes(32);
  const openedAt = clock.now() - monotonic();
  const wallOf = (time: number) => Math.round(openedAt + time);
  const now = () => wallOf(monotonic());
  const common = { random, monotonic, after: timers };

  // Without a disk there is nothing that others could not have delivered.
  const peers = store
    ? peersOf?.(store.secret('instance', () => randomBytes(16)).toString('hex'))
    : undefined;
  const views = createViewQueue({
    store,
    deliver,
    logger,
    now,
    common,
    onWritten: () => workers.get('view')?.added(),
  });
  const rows =
    store &&
    createRowDelivery({
      store,
      deliver,
      logger,
      fateOf: peers?.fateOf,
      onSettled(row, state) {
        peering?.settled(row, state);
        if (row.kind === 'view') {
          views.leftDisk();
          return;
        }
        housekeeping?.eraseSoon();
        // Of whatever kind: it may have held up another of its sender.
        for (const worker of workers.values()) worker.added();
      },
      onUnrecorded: ({ kind }) => workers.get(kind)?.added(),
    });
  const workers: ReadonlyMap<OutboxKind, DeliveryWorker> =
    store && rows
      ? createDeliveryWorkers({
          store,
          rows,
          mayGo: (kind) => kind !== 'view' || !peering || peering.hasLooked(),
          isBusy,
          ...common,
          onError: (error, kind) =>
            logger.error({ err: error, kind }, 'the outbox could not be read or written'),
        })
      : new Map();
  const submissions = createSubmissions({
    disk: store && rows && { store, rows },
    deliver,
    peers,
    secret,
    now,
    logger,
    onAttempt({ kind }, state) {
      if (closing) return;
      if (state === 'waiting') workers.get(kind)?.failed();
      else workers.get(kind)?.resume();
    },
  });
  const peering =
    store && peers
      ? createPeering({
          store,
          peers,
          now,
          hasRoomForViews: views.hasRoom,
          after: timers,
          onArrived: (kind) => workers.get(kind)?.added(),
          onViewsMoved: views.recount,
          onError: (error) => logger.error({ err: error }, 'the outboxes of instances could not be compared'),
        })
      : null;
  const housekeeping =
    store &&
    createHousekeeping({
      store,
      now,
      after: timers,
      onError: (error, message) => logger.error({ err: error }, message),
    });
  let closing: Promise<void> | null = null;
  let closed = false;

  async function stop(graceMs: number): Promise<void> {
    housekeeping?.stop();
    const lastDelivery = monotonic() + Math.min(graceMs / 2, LAST_DELIVERIES_MS);
    const isOver = () => monotonic() >= lastDelivery;
    views.flush();
    const delivered = Promise.all([
      views.stop(isOver),
      ...[...workers.values()].map((worker) => worker.stop(isOver)),
    ]);
    await within(
      graceMs,
      delivered.then(() => rows?.settle()).then(() => peering?.stop()),
    );
    letGo();
  }

  function letGo(): void {
    if (closed) return;
    closed = true;
    peering?.cease();
    rows?.close();
    views.flushAll();
    if (views.size() > 0)
      logger.error({ views: views.size() }, 'views could not be kept: they are not counted');
    store?.close();
  }

  function within(ms: number, work: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve) => {
      const cancel = timers(ms, () => resolve(null));
      work.finally(() => {
        cancel();
        resolve(null);
      });
    });
  }

  /** Wall-clock milliseconds; null where no attempt is planned. */
  function nextAttemptOf({ kind, state }: ListedRow): number | null {
    const dueAt = state === 'waiting' ? (workers.get(kind)?.dueAt() ?? null) : null;
    return dueAt === null ? null : wallOf(dueAt);
  }

  function waitsAgain(id: number): boolean {
    try {
      return store?.retry(id) ?? false;
    } catch (error) {
      throw new OutboxUnavailable(error);
    }
  }

  return {
    async submit(kind, payload) {
      if (closing) throw new OutboxUnavailable(new Error('the outbox is closing'));
      return submissions.submit(kind, payload);
    },

    countView: views.add,
    hasRoomForView: views.hasRoom,

    list: () => (store?.list() ?? []).map((row) => entryOf(row, nextAttemptOf(row))),

    retry(id) {
      const row = store?.get(id);
      if (!row || (row.state !== 'waiting' && !waitsAgain(id))) return false;
      if (row.kind === 'view' && row.state === 'refused') views.cameToDisk();
      if (row.kind !== 'view') void peers?.again(row.idempotency_key);
      workers.get(row.kind)?.resume();
      workers.get(row.kind)?.added();
      return true;
    },

    depth: () => depthOf(store?.counts() ?? [], views.size(), store?.oldest() ?? null, now()),

    start() {
      views.start();
      housekeeping?.start();
      for (const worker of workers.values()) {
        worker.added();
      }
      peering?.start();
    },

    close: (graceMs) => (closing ??= stop(graceMs)),

    closeAtOnce() {
      closing ??= Promise.resolve();
      letGo();
    },
  };
}

function openStore(dir: string, logger: OutboxOptions['logger']): OutboxStore | null {
  try {
    return openOutboxStore(dir);
  } catch (error) {
    if (error instanceof OutboxLocked) throw error;
    logger.error(
      { err: error, dir },
      'the outbox has no usable disk: submissions are forwarded at once or refused',
    );
    return null;
  }
}

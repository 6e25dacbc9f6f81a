import { LRUCache } from 'lru-cache';
import { OutboxUnavailable } from '#server/errors.ts';
import { NO_TRACING, type Tracing } from '#server/tracing/tracing.ts';
import { createDelivery, type Send } from './delivery.ts';
import { idempotencyKey, idempotencySecret } from './idempotency-key.ts';
import {
  type After,
  afterSystemTime,
  backoffMs,
  type Message,
  type MessageCount,
  type MessageQueue,
  type MessageState,
  type OutboxDepth,
  type OutboxEntry,
  type OutboxKind,
  type SubmissionKind,
} from './message.ts';
import { openSqliteQueue, type SqliteQueueOptions } from './sqlite-queue.ts';
import { createViewBuffer } from './view-buffer.ts';

export type { MessageState, SubmissionKind } from './message.ts';

/** Submissions and views to the upstream: attempted at once, and queued where that fails. */
export type Outbox = Awaited<ReturnType<typeof openOutbox>>;

/** What a queue of all instances is opened with. */
export type OpenSharedQueue = (
  options: Pick<SqliteQueueOptions, 'process' | 'now' | 'backoff'> & Pick<OutboxOptions, 'logger'>,
) => Promise<MessageQueue>;

export interface OutboxOptions {
  dir: string;
  /** The upstream's token, by which all instances make the same idempotency keys; null where it wants none. */
  authorization?: string | null;
  send: Send;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** Null where this instance is alone. */
  openSharedQueue?: OpenSharedQueue | null;
  /** Monotonic milliseconds. */
  clock?: () => number;
  /** Wall milliseconds. Read once for ages: setting it changes none. */
  wallClock?: () => number;
  random?: () => number;
  after?: After;
  /** Whether requests take nearly all of the process's time, so that views are sent slowly. Default: never. */
  isBusy?: () => boolean;
  /** Told the state after each attempt. */
  onDelivery?: (kind: OutboxKind, state: MessageState) => void;
  tracing?: Pick<Tracing, 'child' | 'root' | 'current' | 'outside'>;
}

const SWEEP_INTERVAL_MS = 3_600_000;
/** Ids of messages that this instance has queued, to know a repeat of one by. */
const MAX_REMEMBERED = 10_000;

/** Opens the outbox of a folder. Rejects with `OutboxUnusable`. */
export async function openOutbox(options: OutboxOptions) {
  const {
    dir,
    authorization = null,
    send,
    logger,
    openSharedQueue = null,
    clock = () => performance.now(),
    wallClock = Date.now,
    random = Math.random,
    after: timers = afterSystemTime,
    onDelivery = () => undefined,
    tracing = NO_TRACING,
  } = options;
  // What a timer does is no part of the request that has set it.
  const after: After = (ms, work) => timers(ms, () => tracing.outside(work));
  const openedAt = wallClock() - clock();
  const now = () => Math.round(openedAt + clock());
  /** Submissions under way, by their keys: a repeat gets the same outcome. */
  const underWay = new Map<string, Promise<MessageState>>();
  const remembered = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  let closing: Promise<void> | null = null;
  let cancelSweep: () => void = () => undefined;

  const delivery = createDelivery({
    send,
    logger,
    clock,
    after,
    isBusy: options.isBusy,
    onDelivery,
    tracing,
    onRecovered(kind) {
      for (const queue of queues) queue.promote(kind);
    },
  });
  const { process } = delivery;
  const backoff = (failures: number) => backoffMs(failures, random());
  const disk = openSqliteQueue({
    dir,
    process,
    // It may have reached Redis after all, when it was not waited for any more.
    onDone: ({ id }) => void shared?.discard(id).catch(() => undefined),
    now,
    backoff,
    after,
    logger,
  });
  const secret = idempotencySecret(authorization, dir);
  const shared = openSharedQueue && (await openSharedQueue({ process, now, backoff, logger }));
  const queues: readonly MessageQueue[] = shared ? [shared, disk] : [disk];
  const views = createViewBuffer({
    delivery,
    store: (messages) => store((queue) => queue.add(messages)),
    queued: () => depthOf(queues).views,
    now,
    after,
    logger,
    traceparent: tracing.current,
  });

  /** Adds to the queue of all instances, or to this one's where Redis takes nothing. Rejects where neither does. */
  async function store(add: (queue: MessageQueue) => Promise<void>): Promise<void> {
    if (shared) {
      try {
        await add(shared);
        return;
      } catch {
        // The client has logged why.
      }
    }
    await add(disk);
  }

  async function deliver(message: Message): Promise<MessageState> {
    const { id } = message;
    const isRepeated = remembered.has(id);
    const { state, reason } = await delivery.attempt(message);
    if (state === 'pending') {
      await store((queue) => queue.add([message])).catch((error: unknown) => {
        logger.error({ err: error, kind: message.kind }, 'a submission could not be kept');
        throw new OutboxUnavailable(error);
      });
      remembered.set(id, true);
    } else if (state === 'rejected')
      await store((queue) => queue.addRejected(message, reason ?? state)).catch((error: unknown) =>
        logger.error({ err: error, kind: message.kind }, 'a rejected submission could not be kept'),
      );
    else if (isRepeated) {
      for (const queue of queues) void queue.discard(id).catch(() => undefined);
      // An earlier attempt, whose outcome is not known, may have been ours.
      return 'delivered';
    }
    return state;
  }

  function countsOf(some: readonly MessageQueue[]): MessageCount[] {
    return [{ kind: 'view', state: 'pending', n: views.size() }, ...some.flatMap((queue) => queue.counts())];
  }

  function depthOf(some: readonly MessageQueue[]): OutboxDepth {
    const sum = (isMeant: (count: MessageCount) => boolean) =>
      some
        .flatMap((queue) => queue.counts())
        .filter(isMeant)
        .reduce((total, { n }) => total + n, 0);
    return {
      submissions: sum(({ kind, state }) => state === 'pending' && kind !== 'view'),
      views: sum(({ kind, state }) => state === 'pending' && kind === 'view'),
      rejected: sum(({ state }) => state === 'rejected'),
      oldestSeconds: Math.max(...some.map((queue) => queue.oldestSeconds())),
    };
  }

  function withBuffer(depth: OutboxDepth): OutboxDepth {
    return { ...depth, views: depth.views + views.size() };
  }

  function sweep(): void {
    for (const queue of queues)
      queue
        .sweep()
        .catch((error: unknown) => logger.error({ err: error }, 'rejected messages could not be erased'));
    cancelSweep = after(SWEEP_INTERVAL_MS, sweep);
  }

  async function stop(graceMs: number): Promise<void> {
    cancelSweep();
    for (const queue of queues) queue.pause();
    delivery.close();
    await views.close(graceMs / 2);
    await Promise.all(queues.map((queue) => queue.close(graceMs / 2)));
  }

  return {
    /**
     * Makes one attempt at once and returns the state after it. A message that is pending then is in the queue. Throws
     * `OutboxUnavailable` where it could neither be delivered nor kept.
     */
    async submit(kind: SubmissionKind, payload: object): Promise<MessageState> {
      if (closing) throw new OutboxUnavailable(new Error('the outbox is closing'));
      const id = idempotencyKey(secret, kind, payload, wallClock());
      const known = underWay.get(id);
      if (known) return known;
      const message = { id, kind, payload, createdAt: now(), traceparent: tracing.current() };
      const delivered = deliver(message).finally(() => underWay.delete(id));
      underWay.set(id, delivered);
      return delivered;
    },

    /** Counts a view. Never throws, never waits. */
    countView: views.add,

    /** Lists rejected messages before pending ones. */
    async list(): Promise<OutboxEntry[]> {
      const lists = await Promise.allSettled(queues.map((queue) => queue.list()));
      const entries = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
      return entries.sort(
        (one, other) => Number(one.state === 'pending') - Number(other.state === 'pending'),
      );
    },

    /** Makes messages due now: one by its id, or rejected ones of a kind, or all. Returns how many. */
    async retry(which: { id?: string | undefined; kind?: OutboxKind | undefined }): Promise<number> {
      return orUnavailable(async () => {
        const retried = await Promise.all(queues.map((queue) => queue.retry(which)));
        return retried.reduce((sum, n) => sum + n, 0);
      });
    },

    /** Erases a message. False where none has this id, or it is being delivered. */
    async discard(id: string): Promise<boolean> {
      return orUnavailable(async () => {
        const discarded = await Promise.all(queues.map((queue) => queue.discard(id)));
        return discarded.includes(true);
      });
    },

    /** Counts messages by kind and state, in all queues. A kind and state may come more than once. */
    counts: () => countsOf(queues),
    depth: () => withBuffer(depthOf(queues)),
    /** What this instance alone holds, on its disk and in memory: without the queue of all instances. */
    localDepth: () => withBuffer(depthOf([disk])),
    /** False while the disk takes no messages. */
    isDiskUsable: disk.isUsable,

    start(): void {
      for (const queue of queues) queue.start();
      sweep();
    },

    /** Takes nothing more, stores buffered views, finishes what is in flight, closes the file. */
    close: (graceMs: number): Promise<void> => (closing ??= stop(graceMs)),

    /** Closes the file, without waiting for anything. */
    closeImmediately(): void {
      closing ??= Promise.resolve();
      disk.closeImmediately();
    },
  };
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new OutboxUnavailable(error);
  }
}

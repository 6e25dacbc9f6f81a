import { LRUCache } from 'lru-cache';
import { OutboxUnavailable } from '#server/errors.ts';
import { after, type Clock, withTimeout } from '#server/time.ts';
import type { OutboxKind } from '#shared/models/outbox-kinds.ts';
import { backoffMs, createDelivery, type DeliveryOptions } from './delivery.ts';
import { idempotencyKey, idempotencySecret } from './idempotency-key.ts';
import type {
  Kept,
  Message,
  MessageCount,
  MessageQueue,
  MessageState,
  OutboxEntry,
  QueueOptions,
  SubmissionKind,
  Which,
} from './message-types.ts';
import { openSqliteQueue } from './sqlite-queue.ts';
import { createViewBuffer } from './view-buffer.ts';

/** Submissions and views to the upstream: attempted at once, and queued where that fails. */
export type Outbox = Awaited<ReturnType<typeof openOutbox>>;

export interface OutboxOptions extends Omit<DeliveryOptions, 'logger' | 'onRecovery'> {
  dir: string;
  /** The upstream's token, by which all instances make the same idempotency keys; null where it wants none. */
  authorization: string | null;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** Opens the queue of all instances. Null where this one is alone. */
  openSharedQueue: ((options: QueueOptions) => Promise<MessageQueue>) | null;
  /** Its wall time is read once for ages: setting that changes none. */
  clock: Clock;
  random: () => number;
}

const SWEEP_INTERVAL_MS = 60_000;
/** Messages that this instance has kept, to know a repeat of one by. */
const MAX_REMEMBERED = 10_000;

/** Opens the outbox of a folder. Rejects with `OutboxUnusable`. */
export async function openOutbox(options: OutboxOptions) {
  const { dir, authorization, logger, openSharedQueue, tracing, clock, random } = options;
  const openedAt = clock.now() - clock.monotonic();
  const now = () => Math.round(openedAt + clock.monotonic());
  const backoff = (failures: number) => backoffMs(failures, random());
  /** Submissions under way, by their keys: a repeat gets the same outcome. */
  const underWay = new Map<string, Promise<MessageState>>();
  const remembered = new LRUCache<string, Kept['state']>({ max: MAX_REMEMBERED });
  let closing: Promise<void> | null = null;
  let sweepTimer: NodeJS.Timeout | undefined;

  const delivery = createDelivery({ ...options, onRecovery });
  const disk = openSqliteQueue({ dir, process: processOfDisk, now, backoff, logger });
  const secret = await idempotencySecret(authorization, dir);
  const shared =
    openSharedQueue && (await openSharedQueue({ process: delivery.process, now, backoff, logger }));
  const queues: readonly MessageQueue[] = shared ? [shared, disk] : [disk];
  /** How long (ms) Redis may take to keep messages during a stop; null before: as long as its client waits. */
  let redisMs: number | null = null;
  const queued = () => queues.flatMap((queue) => queue.counts());
  const queuedViews = () => sumOf(queued(), isPendingView);
  const views = createViewBuffer({ delivery, store, queued: queuedViews, now, clock, logger });

  function onRecovery(kind: OutboxKind): void {
    for (const queue of queues) void queue.promote(kind);
  }

  async function processOfDisk(message: Message) {
    const outcome = await delivery.process(message);
    // It may have reached Redis after all, when it was not waited for any more.
    if (outcome.state !== 'pending') void shared?.discard({ id: message.id }).catch(() => undefined);
    return outcome;
  }

  /**
   * Adds to the queue of all instances, or to this one's where Redis takes nothing, or not before a stop ends. Rejects where
   * neither does.
   */
  async function store(messages: readonly Message[], kept?: Kept): Promise<void> {
    if (shared === null) return disk.add(messages, kept);
    // The client has logged why Redis takes nothing.
    const adding = shared.add(messages, kept).then(
      () => true,
      () => false,
    );
    const isAdded = redisMs === null ? await adding : await withTimeout(redisMs, adding);
    if (!isAdded) await disk.add(messages, kept);
  }

  async function deliver(message: Message): Promise<MessageState> {
    const { id, kind } = message;
    const before = remembered.get(id);
    const { state, ...outcome } = await delivery.attempt(message);
    if (state === 'pending' || state === 'rejected') {
      await store([message], { state, ...outcome }).catch((err: unknown) => {
        if (state === 'rejected')
          return logger.error({ err, kind }, 'a rejected submission could not be kept');
        logger.error({ err, kind }, 'a submission could not be kept');
        throw new OutboxUnavailable(err);
      });
      remembered.set(id, state);
    } else {
      remembered.delete(id);
      // Not only what is remembered: this instance may have kept it before a restart, or another one has.
      for (const queue of queues) void queue.discard({ id }).catch(() => undefined);
      // An earlier attempt, whose outcome is not known, may have been ours.
      if (before === 'pending') return 'delivered';
    }
    return state;
  }

  function counts(): MessageCount[] {
    return [{ kind: 'view', state: 'pending', n: views.size() }, ...queued()];
  }

  function depth() {
    const all = counts();
    return {
      submissions: sumOf(all, ({ kind, state }) => state === 'pending' && kind !== 'view'),
      views: sumOf(all, isPendingView),
      rejected: sumOf(all, ({ state }) => state === 'rejected'),
      oldestSeconds: Math.max(...queues.map((queue) => queue.oldestSeconds())),
    };
  }

  async function stop(graceMs: number): Promise<void> {
    clearInterval(sweepTimer);
    for (const queue of queues) queue.pause();
    delivery.close();
    after(graceMs / 2, () => {
      redisMs = 0;
    });
    await views.close(graceMs / 4);
    await Promise.all(queues.map((queue) => queue.close(graceMs / 2)));
  }

  return {
    /**
     * Makes one attempt at once and returns the state after it. A message that is pending then is in the queue. Throws
     * `OutboxUnavailable` where it could neither be delivered nor kept.
     */
    async submit(kind: SubmissionKind, payload: object): Promise<MessageState> {
      if (closing) throw new OutboxUnavailable(new Error('the outbox is closing'));
      const id = idempotencyKey(secret, kind, payload, clock.now());
      const known = underWay.get(id);
      if (known) return known;
      const message = { id, kind, payload, createdAt: now(), traceparent: tracing.current() };
      const delivered = deliver(message).finally(() => underWay.delete(id));
      underWay.set(id, delivered);
      return delivered;
    },

    /** Counts a view. Never throws, never waits. */
    countView: (view: { postId: string; address: string }) => views.add(view, tracing.current()),

    /** Lists rejected messages before pending ones, as many as each queue lists. */
    async list(): Promise<OutboxEntry[]> {
      const lists = await Promise.allSettled(queues.map((queue) => queue.list()));
      const entries = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
      return entries.sort(
        (one, other) => Number(one.state === 'pending') - Number(other.state === 'pending'),
      );
    },

    /** Makes messages due now: one by its id, or rejected ones of a kind, or all. Returns how many. */
    retry: (which: Which): Promise<number> => inAll(queues, which, (queue) => queue.retry(which)),

    /** Erases the same, but for a message that is being delivered. Returns how many. */
    discard: (which: Which): Promise<number> => inAll(queues, which, (queue) => queue.discard(which)),

    /** Counts messages by kind and state, in all queues and in memory. A kind and state may come more than once. */
    counts,
    depth,
    isDiskUsable: disk.isUsable,

    start(): void {
      for (const queue of queues) queue.start();
      const sweep = () => queues.forEach((queue) => void queue.sweep());
      sweepTimer = setInterval(sweep, SWEEP_INTERVAL_MS).unref();
    },

    /** Keeps the messages whose readers wait for an attempt, on disk after `ms`: a stop leaves no time for its end. */
    giveUp(ms: number): void {
      redisMs = ms;
      delivery.giveUp();
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

const isPendingView = ({ kind, state }: MessageCount) => kind === 'view' && state === 'pending';

/** Returns how many messages those counts come to that `isMeant` picks. */
function sumOf(counts: readonly MessageCount[], isMeant: (count: MessageCount) => boolean): number {
  return counts.filter(isMeant).reduce((sum, { n }) => sum + n, 0);
}

/**
 * Resolves with the sum over some queues. Rejects with `OutboxUnavailable` where one fails, unless it is about one message
 * and another queue had that.
 */
async function inAll(
  queues: readonly MessageQueue[],
  { id }: Which,
  work: (queue: MessageQueue) => Promise<number>,
): Promise<number> {
  const results = await Promise.allSettled(queues.map(work));
  const n = results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed && (id === undefined || n === 0)) throw new OutboxUnavailable(failed.reason);
  return n;
}

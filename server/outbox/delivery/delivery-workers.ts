import {
  type Message,
  type MessageStore,
  type Next,
  OUTBOX_KINDS,
  type OutboxKind,
} from '#server/outbox/message.ts';
import type { After } from '#server/outbox/outbox-clock.ts';
import type { MessageDelivery } from './deliver-message.ts';
import { createDeliveryWorker, type DeliveryWorker } from './delivery-worker.ts';
import { createThrottle } from './throttle.ts';

/** Ten pending submissions a second: an upstream that has just come back is not run over. */
export const SUBMISSION_INTERVAL_MS = 100;
const MAX_CONCURRENT_SUBMISSIONS = 4;
/** Two hundred views a second, and twenty while readers want all there is: one delivery costs as much as five pages. */
export const VIEW_INTERVAL_MS = 5;
const BUSY_VIEW_INTERVAL_MS = 50;
const MAX_CONCURRENT_VIEWS = 16;
/** What a stop may spend its two seconds on. */
const VIEWS_AT_STOP = 400;

export interface DeliveryWorkersOptions {
  /** Where messages may be pending, in the order in which they are asked. */
  stores: () => readonly MessageStore[];
  /** Being moved to another store at the moment. */
  moving: ReadonlySet<Message>;
  delivery: Pick<MessageDelivery, 'deliver' | 'recordUnrecorded'>;
  /** Whether readers take nearly all of the process's time. */
  isBusy: () => boolean;
  random: () => number;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  after: After;
  onError(error: unknown, kind: OutboxKind): void;
}

/**
 * A worker for each kind, so that an endpoint that fails holds up no other. Those of submissions share one throttle and
 * one concurrency limit.
 */
export function createDeliveryWorkers(options: DeliveryWorkersOptions) {
  const { stores, moving, delivery, isBusy, onError, ...common } = options;
  const { monotonic } = common;
  const throttle = createThrottle(() => SUBMISSION_INTERVAL_MS, monotonic);
  const viewThrottle = createThrottle(() => (isBusy() ? BUSY_VIEW_INTERVAL_MS : VIEW_INTERVAL_MS), monotonic);
  let submissionsInFlight = 0;

  function wakeAll(): void {
    for (const worker of workers.values()) worker.added();
  }

  async function deliverSubmission(message: Message): Promise<boolean> {
    submissionsInFlight++;
    try {
      return (await delivery.deliver(message)) !== 'waiting';
    } finally {
      submissionsInFlight--;
      // Of whatever kind: it may have held up another of its sender.
      wakeAll();
    }
  }

  async function next(kind: OutboxKind, inFlight: ReadonlySet<Message>, suspect?: Message): Promise<Next> {
    if (kind !== 'view' && submissionsInFlight >= MAX_CONCURRENT_SUBMISSIONS) return null;
    for (const store of stores()) {
      await delivery.recordUnrecorded(store);
      const found = await store.next(kind, new Set([...inFlight, ...moving]), suspect);
      if (found !== null) return found;
    }
    return null;
  }

  function workerOf(kind: OutboxKind): DeliveryWorker {
    return createDeliveryWorker({
      ...common,
      next: (inFlight, suspect) => next(kind, inFlight, suspect),
      ...(kind === 'view'
        ? {
            concurrency: MAX_CONCURRENT_VIEWS,
            throttle: viewThrottle,
            atStop: VIEWS_AT_STOP,
            attempt: async (message) => (await delivery.deliver(message)) !== 'waiting',
          }
        : {
            concurrency: MAX_CONCURRENT_SUBMISSIONS,
            throttle,
            atStop: 0,
            attempt: deliverSubmission,
          }),
      onError: (error) => onError(error, kind),
    });
  }

  const workers: ReadonlyMap<OutboxKind, DeliveryWorker> = new Map(
    OUTBOX_KINDS.map((kind) => [kind, workerOf(kind)]),
  );

  return {
    wakeAll,
    added: (kind: OutboxKind) => workers.get(kind)?.added(),
    failed: (kind: OutboxKind) => workers.get(kind)?.failed(),
    resume: (kind: OutboxKind) => workers.get(kind)?.resume(),
    stop: (isOver: () => boolean) => Promise.all([...workers.values()].map((worker) => worker.stop(isOver))),
  };
}

export type DeliveryWorkers = ReturnType<typeof createDeliveryWorkers>;

import type { Message, MessageStore, Next, OutboxKind } from '#server/outbox/message.ts';
import type { MessageDelivery } from './deliver-message.ts';
import { createDeliveryWorker, type DeliveryWorkerOptions } from './delivery-worker.ts';

/** Ten pending submissions a second: an upstream that has just come back is not run over. */
const SUBMISSION_INTERVAL_MS = 100;
const MAX_CONCURRENT_SUBMISSIONS = 4;
/** Two hundred views a second, and twenty while the process is busy: one delivery costs as much as five pages. */
const VIEW_INTERVAL_MS = 5;
const BUSY_VIEW_INTERVAL_MS = 50;
const MAX_CONCURRENT_VIEWS = 16;
/** As many as a stop has time for. */
const VIEWS_AT_STOP = 400;

export interface DeliveryWorkersOptions
  extends Pick<DeliveryWorkerOptions, 'random' | 'monotonic' | 'after' | 'onError'> {
  /** Where messages may be pending, in the order in which they are asked. */
  stores: () => readonly MessageStore[];
  /** Messages that are being moved to another store. */
  moving: ReadonlySet<Message>;
  delivery: Pick<MessageDelivery, 'deliver' | 'recordUnrecorded'>;
  /** Whether requests take nearly all of the process's time. */
  isBusy: () => boolean;
}

/** Makes the worker of submissions and the worker of views. */
export function createDeliveryWorkers(options: DeliveryWorkersOptions) {
  const { stores, moving, delivery, isBusy, ...common } = options;

  async function next(kind: OutboxKind, inFlight: ReadonlySet<Message>, suspect?: Message): Promise<Next> {
    for (const store of stores()) {
      await delivery.recordUnrecorded(store);
      const found = await store.next(kind, new Set([...inFlight, ...moving]), suspect);
      if (found !== null) return found;
    }
    return null;
  }

  const attempt = async (message: Message) => (await delivery.deliver(message)) !== 'pending';
  const submissions = createDeliveryWorker({
    ...common,
    next,
    attempt,
    kinds: ['subscription', 'contact', 'opt-out'],
    concurrency: MAX_CONCURRENT_SUBMISSIONS,
    intervalMs: () => SUBMISSION_INTERVAL_MS,
    atStop: 0,
  });
  const views = createDeliveryWorker({
    ...common,
    next,
    attempt,
    kinds: ['view'],
    concurrency: MAX_CONCURRENT_VIEWS,
    intervalMs: () => (isBusy() ? BUSY_VIEW_INTERVAL_MS : VIEW_INTERVAL_MS),
    atStop: VIEWS_AT_STOP,
  });
  const workerOf = (kind: OutboxKind) => (kind === 'view' ? views : submissions);

  return {
    wake(): void {
      submissions.wake();
      views.wake();
    },
    failed: (kind: OutboxKind) => workerOf(kind).failed(kind),
    resume: (kind: OutboxKind) => workerOf(kind).resume(kind),
    stop: (isOver: () => boolean) => Promise.all([submissions.stop(isOver), views.stop(isOver)]),
  };
}

import type { After } from './clock.ts';
import { createDeliveryWorker, type DeliveryWorker } from './delivery-worker.ts';
import { OUTBOX_KINDS, type OutboxKind, type OutboxRow } from './outbox-row.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { RowDelivery } from './row-delivery.ts';
import { createThrottle } from './throttle.ts';

/** Ten pending submissions a second: an upstream that has just come back is not run over. */
const SUBMISSION_INTERVAL_MS = 100;
const MAX_CONCURRENT_SUBMISSIONS = 4;
/** Two hundred views a second, and twenty while readers want all there is: one delivery costs as much as five pages. */
export const VIEW_INTERVAL_MS = 5;
const BUSY_VIEW_INTERVAL_MS = 50;
export const MAX_CONCURRENT_VIEWS = 16;
/** What a stop may spend its two seconds on. */
export const VIEWS_AT_STOP = 400;

export interface DeliveryWorkersOptions {
  store: Pick<OutboxStore, 'nextWaiting' | 'setAside'>;
  rows: Pick<RowDelivery, 'deliver' | 'recordUnrecorded'>;
  /** Whether another instance may not have what waits here of a kind. */
  mayGo: (kind: OutboxKind) => boolean;
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
export function createDeliveryWorkers(
  options: DeliveryWorkersOptions,
): ReadonlyMap<OutboxKind, DeliveryWorker> {
  const { store, rows, mayGo, isBusy, onError, ...common } = options;
  const { monotonic } = common;
  const throttle = createThrottle(() => SUBMISSION_INTERVAL_MS, monotonic);
  const viewThrottle = createThrottle(() => (isBusy() ? BUSY_VIEW_INTERVAL_MS : VIEW_INTERVAL_MS), monotonic);
  let submissionsInFlight = 0;

  function wakeAll(): void {
    for (const worker of workers.values()) worker.added();
  }

  async function deliverSubmission(row: OutboxRow): Promise<boolean> {
    submissionsInFlight++;
    try {
      return (await rows.deliver(row)) !== 'waiting';
    } finally {
      submissionsInFlight--;
      wakeAll();
    }
  }

  function workerOf(kind: OutboxKind): DeliveryWorker {
    return createDeliveryWorker<OutboxRow>({
      ...common,
      next(inFlight, suspect) {
        rows.recordUnrecorded();
        if (kind !== 'view' && submissionsInFlight >= MAX_CONCURRENT_SUBMISSIONS) return null;
        return mayGo(kind) ? store.nextWaiting(kind, idsOf(inFlight), suspect?.id) : null;
      },
      setAside(row) {
        store.setAside(row);
        wakeAll();
      },
      ...(kind === 'view'
        ? {
            concurrency: MAX_CONCURRENT_VIEWS,
            throttle: viewThrottle,
            atStop: VIEWS_AT_STOP,
            attempt: async (row) => (await rows.deliver(row)) !== 'waiting',
          }
        : { concurrency: MAX_CONCURRENT_SUBMISSIONS, throttle, atStop: 0, attempt: deliverSubmission }),
      onError: (error) => onError(error, kind),
    });
  }

  const workers = new Map(OUTBOX_KINDS.map((kind) => [kind, workerOf(kind)]));
  return workers;
}

function idsOf(rows: ReadonlySet<OutboxRow>): number[] {
  return [...rows].map(({ id }) => id);
}

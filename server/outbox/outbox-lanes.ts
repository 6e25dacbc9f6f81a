import type { After } from './clock.ts';
import { createLane, type Lane } from './lane.ts';
import { OUTBOX_KINDS, type OutboxKind, type OutboxRow } from './outbox-row.ts';
import type { OutboxStore } from './outbox-store.ts';
import { BACKLOG_INTERVAL_MS, createPace } from './pace.ts';
import type { RowDelivery } from './row-delivery.ts';

/** A hundred views a second, and a fifth of that while readers want all there is: one delivery costs as much as five pages. */
const VIEW_INTERVAL_MS = 10;
const BUSY_VIEW_INTERVAL_MS = 50;

export interface OutboxLanesOptions {
  store: Pick<OutboxStore, 'nextWaiting' | 'lastId' | 'setAside'>;
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

/** A lane for each kind of what waits in the file. The backlogs of submissions share one pace. */
export function createOutboxLanes(options: OutboxLanesOptions): ReadonlyMap<OutboxKind, Lane> {
  const { store, rows, mayGo, isBusy, onError, ...common } = options;
  const { monotonic } = common;
  const submissionPace = createPace(() => BACKLOG_INTERVAL_MS, monotonic);
  const viewPace = createPace(() => BACKLOG_INTERVAL_MS, monotonic);
  const liveViewPace = createPace(() => (isBusy() ? BUSY_VIEW_INTERVAL_MS : VIEW_INTERVAL_MS), monotonic);

  function laneOf(kind: OutboxKind): Lane {
    return createLane<OutboxRow>({
      ...common,
      next(after) {
        rows.recordUnrecorded();
        return mayGo(kind) ? store.nextWaiting(kind, after?.id) : null;
      },
      lastId: store.lastId,
      attempt: async (row) => (await rows.deliver(row)) !== 'waiting',
      setAside: store.setAside,
      ...(kind === 'view' ? { pace: viewPace, livePace: liveViewPace } : { pace: submissionPace }),
      onError: (error) => onError(error, kind),
    });
  }

  return new Map(OUTBOX_KINDS.map((kind) => [kind, laneOf(kind)]));
}

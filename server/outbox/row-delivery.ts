import { attemptDelivery, type Deliver } from './deliver.ts';
import { outcomeOf } from './delivery-outcome.ts';
import type { AttemptRecord, OutboxRow, OutboxState } from './outbox-row.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { Fate } from './peers.ts';

export interface RowDeliveryOptions {
  store: OutboxStore;
  deliver: Deliver;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** Told when an item is no longer waiting. */
  onSettled(row: OutboxRow, state: Exclude<OutboxState, 'waiting'>): void;
  /** Before a submission is tried again: whether another instance has it by now. */
  fateOf?: ((idempotencyKey: string) => Promise<Fate>) | undefined;
  /** Told when the disk refused to hear what became of an item: `recordUnrecorded` is to be tried until it does. */
  onUnrecorded(row: OutboxRow): void;
}

/** Delivers rows of the store and records what became of them. A row is never on its way twice at once. */
export function createRowDelivery(options: RowDeliveryOptions) {
  const { store, deliver, logger, onSettled, fateOf, onUnrecorded } = options;
  const onTheirWay = new Map<number, Promise<OutboxState>>();
  /** Settled upstream while the disk refused to hear of it: must not be delivered again. */
  const unrecorded = new Map<number, { row: OutboxRow; outcome: AttemptRecord }>();
  let closed = false;

  async function deliverOnce(row: OutboxRow): Promise<OutboxState> {
    const isNew = row.attempts === 0 && row.uncertain === 0;
    const fate = isNew || row.kind === 'view' ? 'ours' : ((await fateOf?.(row.idempotency_key)) ?? 'ours');
    if (fate === 'elsewhere') return 'waiting';
    if (fate === 'ours') return tryOnce(row);
    // Refused for good elsewhere, it waits for its operator there.
    const state = fate === 'refused' ? 'answered' : fate;
    if (!closed) record(row, { state, uncertain: false, error: null });
    return state;
  }

  async function tryOnce(row: OutboxRow): Promise<OutboxState> {
    const item = {
      kind: row.kind,
      payload: JSON.parse(row.payload ?? 'null'),
      idempotencyKey: row.idempotency_key,
    };
    const outcome = outcomeOf(row.kind, await attemptDelivery(deliver, item), row.uncertain === 1);
    if (closed) return outcome.state;
    const { state, error } = outcome;
    if (error !== null) {
      logger.warn(
        { kind: row.kind, id: row.id, attempts: row.attempts + 1, reason: error, state },
        'delivery failed',
      );
    }
    record(row, outcome);
    if (state !== 'waiting') onSettled(row, state);
    return state;
  }

  function record(row: OutboxRow, outcome: AttemptRecord): void {
    try {
      store.recordAttempt(row, outcome);
    } catch (error) {
      logger.error({ err: error, id: row.id }, 'the outcome of a delivery could not be written');
      if (outcome.state === 'waiting') return;
      unrecorded.set(row.id, { row, outcome });
      onUnrecorded(row);
    }
  }

  return {
    /** One attempt, or the one that is under way. Never rejects. */
    deliver(row: OutboxRow): Promise<OutboxState> {
      const known = unrecorded.get(row.id);
      if (known) return Promise.resolve(known.outcome.state);
      const running = onTheirWay.get(row.id);
      if (running) return running;
      const delivery = deliverOnce(row).finally(() => onTheirWay.delete(row.id));
      onTheirWay.set(row.id, delivery);
      return delivery;
    },
    /** Writes what the disk refused before. Throws while it still does. */
    recordUnrecorded(): void {
      for (const [id, { row, outcome }] of unrecorded) {
        store.recordAttempt(row, outcome);
        unrecorded.delete(id);
      }
    },
    /** Resolves when nothing is on its way. */
    async settle(): Promise<void> {
      await Promise.allSettled(onTheirWay.values());
    },
    /** Nothing is recorded from now on: the store may be closed. */
    close(): void {
      closed = true;
    },
  };
}

export type RowDelivery = ReturnType<typeof createRowDelivery>;

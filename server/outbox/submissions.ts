import { createHmac, randomUUID } from 'node:crypto';
import { attemptDelivery, type Deliver } from './deliver.ts';
import { outcomeOf } from './delivery-outcome.ts';
import type { OutboxKind, OutboxRow, OutboxState } from './outbox-row.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { RowDelivery } from './row-delivery.ts';

export type SubmissionKind = Exclude<OutboxKind, 'view'>;

/** What became of a submission. `failed`: it is kept and will be delivered later. */
export type Delivery = 'delivered' | 'already-subscribed' | 'refused' | 'failed';

/** A submission could neither be kept nor delivered. */
export class OutboxUnavailable extends Error {
  constructor(cause: unknown) {
    super('The submission could neither be kept nor delivered.', { cause });
    this.name = 'OutboxUnavailable';
  }
}

export interface SubmissionsOptions {
  /** Null where there is no usable disk. */
  disk: { store: OutboxStore; rows: RowDelivery } | null;
  deliver: Deliver;
  /** Keys the digests by which repeats are told. */
  secret: Buffer;
  /** Wall-clock milliseconds. */
  now: () => number;
  logger: { error(details: object, message: string): void };
  /** Told how the attempt of a submission that was just written ended. */
  onAttempt(row: OutboxRow, state: OutboxState): void;
}

const DAY_MS = 86_400_000;

/** Takes what readers send: on disk first, then one attempt at once. */
export function createSubmissions({ disk, deliver, secret, now, logger, onAttempt }: SubmissionsOptions) {
  /** The submission on disk, or an earlier one that it repeats. Throws where the disk refuses. */
  function keep(store: OutboxStore, kind: SubmissionKind, payload: object): OutboxRow {
    const digest = digestOf(secret, kind, payload);
    const earlier = store.sameSince(digest, now() - DAY_MS);
    if (earlier && !mayBeSentAgain(earlier)) return earlier;
    const id = store.add({
      kind,
      payload: JSON.stringify(payload),
      digest,
      idempotencyKey: randomUUID(),
      createdAt: now(),
    });
    const row = store.get(id);
    if (!row) throw new Error('what was written is not there');
    return row;
  }

  async function deliverNow(rows: RowDelivery, row: OutboxRow): Promise<Delivery> {
    if (row.state !== 'waiting') return deliveryOf(row.state);
    const state = await rows.deliver(row);
    onAttempt(row, state);
    return deliveryOf(state);
  }

  /** Without a disk: delivered at once or not accepted, never a false success. */
  async function forward(kind: SubmissionKind, payload: object, cause: unknown): Promise<Delivery> {
    const item = { kind, payload, idempotencyKey: randomUUID() };
    const { state } = outcomeOf(kind, await attemptDelivery(deliver, item), false);
    if (state === 'waiting' || state === 'refused') throw new OutboxUnavailable(cause);
    return deliveryOf(state);
  }

  return {
    /** Rejects with `OutboxUnavailable` where it could neither be written nor delivered. */
    async submit(kind: SubmissionKind, payload: object): Promise<Delivery> {
      if (!disk) return forward(kind, payload, new Error('there is no disk'));
      let row: OutboxRow;
      try {
        row = keep(disk.store, kind, payload);
      } catch (error) {
        logger.error({ err: error, kind }, 'a submission could not be written');
        return forward(kind, payload, error);
      }
      return deliverNow(disk.rows, row);
    },
  };
}

/** Equal for submissions that say the same, in whatever order. */
function digestOf(secret: Buffer, kind: SubmissionKind, payload: object): string {
  const fields = Object.entries(payload).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHmac('sha256', secret)
    .update(JSON.stringify([kind, fields]))
    .digest('base64');
}

/** A subscription that was delivered may have been cancelled since: whether it stands, the upstream knows. */
function mayBeSentAgain({ kind, state }: OutboxRow): boolean {
  return kind === 'subscription' && (state === 'delivered' || state === 'answered');
}

function deliveryOf(state: OutboxState): Delivery {
  if (state === 'answered') return 'already-subscribed';
  return state === 'waiting' ? 'failed' : state;
}

import { createHmac, randomUUID } from 'node:crypto';
import { attemptDelivery, type Deliver } from './deliver.ts';
import { outcomeOf } from './delivery-outcome.ts';
import type { OutboxKind, OutboxRow, OutboxState } from './outbox-row.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { OutboxPeers, SharedItem } from './peers.ts';
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

interface Disk {
  store: OutboxStore;
  rows: RowDelivery;
}

export interface SubmissionsOptions {
  /** Null where there is no usable disk. */
  disk: Disk | null;
  deliver: Deliver;
  /** The outboxes of other instances; none where it is not given. */
  peers?: Pick<OutboxPeers, 'announce'> | undefined;
  /** Keys the digests by which repeats are told. */
  secret: Buffer;
  /** Wall-clock milliseconds. */
  now: () => number;
  logger: { error(details: object, message: string): void };
  /** Told how the attempt of a submission that was just written ended. */
  onAttempt(row: OutboxRow, state: OutboxState): void;
}

const DAY_MS = 86_400_000;
/** Earlier submissions of the same sender that a reader waits for; with more, theirs is left to the worker. */
const MAX_EARLIER = 3;

/** Takes what readers send: on disk first, then one attempt at once. */
export function createSubmissions(options: SubmissionsOptions) {
  const { disk, deliver, peers, secret, now, logger, onAttempt } = options;

  /** An earlier submission that this one repeats. Throws where the disk refuses. */
  function repeated(store: OutboxStore, digest: string): OutboxRow | null {
    const earlier = store.sameSince(digest, now() - DAY_MS);
    return earlier && !mayBeSentAgain(earlier) ? earlier : null;
  }

  /** On disk when it returns. Throws where the disk refuses. */
  function write(store: OutboxStore, digest: string, item: SharedItem): OutboxRow {
    const row = store.get(store.add({ ...item, digest, sender: senderOf(secret, item) }));
    if (!row) throw new Error('what was written is not there');
    return row;
  }

  /** Tries at once, after what the same sender has sent before: their order is kept. */
  async function deliverNow({ store, rows }: Disk, row: OutboxRow): Promise<Delivery> {
    if (row.state !== 'waiting') return deliveryOf(row.state);
    const earlier = row.sender === null ? [] : store.earlierOf(row.sender, row.id, MAX_EARLIER + 1);
    if (earlier.length > MAX_EARLIER) return 'failed';
    for (const one of [...earlier, row]) {
      const state = await rows.deliver(one);
      onAttempt(one, state);
      if (one === row) return deliveryOf(state);
      if (state === 'waiting') break;
    }
    return 'failed';
  }

  /** What became of the same submission, where an instance has had it before; null where this one is to be written. */
  async function repeatedElsewhere(
    disk: Disk,
    others: Pick<OutboxPeers, 'announce'>,
    item: SharedItem,
  ): Promise<Delivery | null> {
    const same = await others.announce(item);
    if (!same || same.fate === 'ours') return null;
    const own = disk.store.submission(same.idempotencyKey);
    if (own) return deliverNow(disk, own);
    return same.fate === 'elsewhere' ? 'failed' : deliveryOf(same.fate);
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
      const { store } = disk;
      const digest = digestOf(secret, kind, payload);
      const item = { kind, payload: JSON.stringify(payload), idempotencyKey: randomUUID(), createdAt: now() };
      let row: OutboxRow;
      try {
        // Without others there is no pause between a submission's coming and its being written: they go out in order.
        const others = repeated(store, digest) ? null : peers;
        const elsewhere = others ? await repeatedElsewhere(disk, others, item) : null;
        if (elsewhere !== null) return elsewhere;
        row = repeated(store, digest) ?? write(store, digest, item);
      } catch (error) {
        logger.error({ err: error, kind }, 'a submission could not be written');
        return forward(kind, payload, error);
      }
      return deliverNow(disk, row);
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

/**
 * Equal for submissions of one e-mail address that have to keep their order, and says nothing of it: the row outlives what
 * is personal. An opt-out must not overtake a subscription; a contact message has nothing to do with either.
 */
function senderOf(secret: Buffer, { kind, payload }: SharedItem): string | null {
  const { email } = Object(JSON.parse(payload));
  if (typeof email !== 'string') return null;
  const about = kind === 'contact' ? 'contact' : 'newsletter';
  return createHmac('sha256', secret).update(`${about} ${email.trim().toLowerCase()}`).digest('base64');
}

/** A subscription that was delivered may have been cancelled since: whether it stands, the upstream knows. */
function mayBeSentAgain({ kind, state }: OutboxRow): boolean {
  return kind === 'subscription' && (state === 'delivered' || state === 'answered');
}

function deliveryOf(state: OutboxState): Delivery {
  if (state === 'answered') return 'already-subscribed';
  return state === 'waiting' ? 'failed' : state;
}

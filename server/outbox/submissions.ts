import { randomUUID } from 'node:crypto';
import { attemptDelivery, type Deliver } from './delivery/deliver.ts';
import type { MessageDelivery } from './delivery/deliver-message.ts';
import { parseSubmissionResult } from './delivery/delivery-outcome.ts';
import type { Message, NewMessage, OutboxKind, OutboxState, SubmissionKind } from './message.ts';
import type { StreamOutbox } from './redis-stream/stream-outbox.ts';
import type { OutboxStore } from './sqlite/outbox-store.ts';

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
  /** The outbox's file; rejects or resolves to null where there is no usable disk. */
  disk: () => Promise<OutboxStore | null> | OutboxStore | null;
  stream: StreamOutbox | null;
  delivery: Pick<MessageDelivery, 'deliver'>;
  deliver: Deliver;
  /** Told how an attempt ended that no delivery of a message made. */
  onDelivery(kind: OutboxKind, state: OutboxState): void;
  /** Wall-clock milliseconds. */
  now: () => number;
  logger: { error(details: object, message: string): void };
  /** Told how the attempt of a submission ended that a reader waits for. */
  onAttempt(message: Message, state: OutboxState): void;
}

/** Earlier submissions of the same sender that a reader waits for; with more, theirs is left to the worker. */
const MAX_EARLIER = 3;

/** Takes what readers send: kept first, then one attempt at once. */
export function createSubmissions(options: SubmissionsOptions) {
  const { stream, delivery, deliver, onDelivery, now, logger, onAttempt } = options;

  /** Tries at once, after what the same sender has sent before: their order is kept. */
  async function deliverNow(message: Message, earlier: readonly Message[]): Promise<Delivery> {
    if (message.state !== 'waiting') return deliveryOf(message.state);
    const chain = [...earlier, message];
    if (earlier.length <= MAX_EARLIER) {
      for (let one = chain.shift(); one; one = chain.shift()) {
        const state = await delivery.deliver(one);
        onAttempt(one, state);
        if (one === message) return deliveryOf(state);
        if (state === 'waiting') break;
      }
    }
    for (const one of chain) await one.store.leave?.(one);
    return 'failed';
  }

  /** On disk, or its repeat. Throws where the disk refuses. */
  function write(store: OutboxStore, item: NewMessage): Message {
    const repeated = store.same(item);
    return repeated && !mayBeSentAgain(repeated) ? repeated : store.add(item);
  }

  /** Null where Redis does not keep it, or has to leave it to the disk that holds what belongs before it. */
  async function throughStream(item: NewMessage, disk: OutboxStore | null): Promise<Delivery | null> {
    if (!stream || disk?.hasOfSender(item) || disk?.same(item)) return null;
    const message = await stream.add(item);
    if (!message) return null;
    const earlier = await stream.earlierOf(message, MAX_EARLIER + 1);
    const delivery = await deliverNow(message, earlier);
    if (delivery !== 'failed') return delivery;
    // Redis could be killed before it has written that down.
    if (!(await stream.isDurable())) disk?.add(item);
    return delivery;
  }

  /** Without a disk: delivered at once or not accepted, never a false success. */
  async function forward({ kind, payload, idempotencyKey }: NewMessage, cause: unknown): Promise<Delivery> {
    const item = { kind, payload: JSON.parse(payload), idempotencyKey };
    const { state } = parseSubmissionResult(kind, await attemptDelivery(deliver, item), false);
    onDelivery(kind, state);
    if (state === 'waiting' || state === 'refused') throw new OutboxUnavailable(cause);
    return deliveryOf(state);
  }

  async function submit(item: NewMessage, opened: OutboxStore | null): Promise<Delivery> {
    let message: Message;
    let earlier: Message[];
    try {
      const delivery = stream ? await throughStream(item, opened) : null;
      if (delivery !== null) return delivery;
      if (!opened) return forward(item, new Error('there is no disk'));
      // Without Redis there is no pause between a submission's coming and its being written: they go out in order.
      message = write(opened, item);
      earlier = opened.earlierOf(message, MAX_EARLIER + 1);
    } catch (error) {
      logger.error({ err: error, kind: item.kind }, 'a submission could not be written');
      return forward(item, error);
    }
    return deliverNow(message, earlier);
  }

  return {
    /** Rejects with `OutboxUnavailable` where it could neither be kept nor delivered. */
    async submit(kind: SubmissionKind, payload: object): Promise<Delivery> {
      const item = { kind, payload: JSON.stringify(payload), idempotencyKey: randomUUID(), createdAt: now() };
      const disk = options.disk();
      if (!(disk instanceof Promise)) return submit(item, disk);
      // Whoever is not waited for may fail unheard.
      disk.catch(() => undefined);
      return (stream && (await throughStream(item, null))) ?? submit(item, await disk);
    },
  };
}

/** A subscription that was delivered may have been cancelled since: whether it stands, the upstream knows. */
function mayBeSentAgain({ kind, state }: Message): boolean {
  return kind === 'subscription' && (state === 'delivered' || state === 'answered');
}

function deliveryOf(state: OutboxState): Delivery {
  if (state === 'answered') return 'already-subscribed';
  return state === 'waiting' ? 'failed' : state;
}

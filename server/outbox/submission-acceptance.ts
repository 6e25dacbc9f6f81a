import { randomUUID } from 'node:crypto';
import { OutboxUnavailable } from '#server/errors.ts';
import type { MessageDelivery } from './delivery/deliver-message.ts';
import { attemptDelivery, type Deliver } from './delivery/delivery-attempt.ts';
import type { Message, MessageState, NewMessage, OutboxKind, SubmissionKind } from './message.ts';
import type { StreamOutbox } from './redis-stream/stream-outbox.ts';
import type { OutboxStore } from './sqlite/outbox-store.ts';

export interface SubmissionAcceptanceOptions {
  /** The outbox's file: null where there is no usable disk. Rejects with `OutboxUnavailable` where another server keeps it. */
  disk: () => Promise<OutboxStore | null> | OutboxStore | null;
  stream: StreamOutbox | null;
  delivery: Pick<MessageDelivery, 'deliver'>;
  deliver: Deliver;
  /** Told the state after an attempt that `delivery` did not make. */
  onDelivery(kind: OutboxKind, state: MessageState): void;
  /** Returns that of the request; null where it is not sampled. */
  traceparent: () => string | null;
  /** Wall-clock milliseconds. */
  now: () => number;
  logger: { error(details: object, message: string): void };
  /** Told the state after each attempt. */
  onAttempt(message: Message, state: MessageState): void;
}

/** Earlier submissions of the same sender that are attempted while the reader waits. */
const MAX_EARLIER = 3;

/** Takes submissions: stores each before the first attempt, which is made at once. */
export function createSubmissionAcceptance(options: SubmissionAcceptanceOptions) {
  const { stream, delivery, deliver, onDelivery, traceparent, now, logger, onAttempt } = options;

  /** Attempts the sender's earlier submissions, then this one: their order is kept. */
  async function deliverNow(message: Message): Promise<MessageState> {
    if (message.state !== 'pending') return message.state;
    let next: Message | null = null;
    for (let attempts = 0; attempts <= MAX_EARLIER; attempts++) {
      next = (await message.store.earlierOf(message, next)) ?? message;
      if (next.isInFlightElsewhere) break;
      const state = await delivery.deliver(next);
      onAttempt(next, state);
      if (next === message) return state;
      if (state === 'pending') break;
    }
    await message.store.release?.(message);
    return 'pending';
  }

  /** Null where Redis does not take it, or the disk holds what belongs before it. */
  async function addToStream(item: NewMessage, disk: OutboxStore | null): Promise<MessageState | null> {
    if (!stream || disk?.hasOfSender(item) || disk?.sameAs(item)) return null;
    const message = await stream.add(item);
    if (!message) return null;
    const state = await deliverNow(message);
    // Redis could be killed before it has written that down.
    if (state === 'pending' && !(await stream.isDurable()))
      disk?.add({ ...item, idempotencyKey: message.idempotencyKey });
    return state;
  }

  /** On disk when it returns, or the same submission of before. Throws where the disk refuses. */
  function addToDisk(item: NewMessage, disk: OutboxStore): Message {
    const repeated = disk.sameAs(item);
    return repeated && !mayBeSentAgain(repeated) ? repeated : disk.add(item);
  }

  /** Without a disk: delivered at once, or not acknowledged. */
  async function forward(
    { kind, payload, idempotencyKey }: NewMessage,
    cause: unknown,
  ): Promise<MessageState> {
    const item = { kind, payload: JSON.parse(payload), idempotencyKey };
    const { state } = await attemptDelivery(deliver, item, false);
    onDelivery(kind, state);
    if (state === 'pending' || state === 'rejected') throw new OutboxUnavailable(cause);
    return state;
  }

  async function submit(item: NewMessage, disk: OutboxStore | null): Promise<MessageState> {
    let message: Message;
    try {
      const state = stream && (await addToStream(item, disk));
      if (state !== null) return state;
      if (!disk) return forward(item, new Error('there is no disk'));
      // Without Redis nothing is awaited before this: submissions are stored in the order in which they came.
      message = addToDisk(item, disk);
    } catch (error) {
      logger.error({ err: error, kind: item.kind }, 'a submission could not be written');
      return forward(item, error);
    }
    return deliverNow(message);
  }

  return {
    /** Returns the state after the first attempt. Rejects with `OutboxUnavailable` where it could neither be kept nor delivered. */
    async submit(kind: SubmissionKind, payload: object): Promise<MessageState> {
      const item = {
        kind,
        payload: JSON.stringify(payload),
        idempotencyKey: randomUUID(),
        createdAt: now(),
        traceparent: traceparent(),
      };
      const disk = options.disk();
      if (!(disk instanceof Promise)) return submit(item, disk);
      // Nobody may be left to wait for it.
      disk.catch(() => undefined);
      return (await addToStream(item, null)) ?? submit(item, await disk);
    },
  };
}

/** A delivered subscription may have been cancelled since: only the upstream knows. */
function mayBeSentAgain({ kind, state }: Message): boolean {
  return kind === 'subscription' && (state === 'delivered' || state === 'already-subscribed');
}

import type {
  AttemptRecord,
  Message,
  MessageState,
  MessageStore,
  OutboxKind,
} from '#server/outbox/message.ts';
import { attemptDelivery, type Deliver } from './delivery-attempt.ts';

export interface MessageDeliveryOptions {
  deliver: Deliver;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** Told the state after each attempt. */
  onDelivery(kind: OutboxKind, state: MessageState): void;
  /** Told when a message is no longer pending. */
  onCompleted(message: Message): void;
  /** Told when a store could not write an outcome: call `recordUnrecorded` until it can. */
  onUnrecorded(message: Message): void;
}

/** Delivers messages and records the outcome. Never has one message in flight twice. */
export function createMessageDelivery({
  deliver,
  logger,
  onDelivery,
  onCompleted,
  onUnrecorded,
}: MessageDeliveryOptions) {
  const inFlight = new Map<string, Promise<MessageState>>();
  /** Completed upstream, while the store could not write that. Must not be delivered again. */
  const unrecorded = new Map<string, { message: Message; outcome: AttemptRecord }>();
  let isClosed = false;

  async function attempt(message: Message): Promise<MessageState> {
    const { kind, id, attempts, idempotencyKey, uncertain } = message;
    const item = { kind, payload: JSON.parse(message.payload), idempotencyKey };
    const outcome = await attemptDelivery(deliver, item, uncertain);
    const { state, error } = outcome;
    onDelivery(kind, state);
    if (isClosed) return state;
    if (error !== null)
      logger.warn({ kind, id, attempts: attempts + 1, reason: error, state }, 'delivery failed');
    try {
      await message.store.record(message, outcome);
    } catch (cause) {
      logger.error({ err: cause, id }, 'the outcome of a delivery could not be written');
      if (state === 'pending') return state;
      unrecorded.set(idempotencyKey, { message, outcome });
      onUnrecorded(message);
    }
    if (state !== 'pending') onCompleted(message);
    return state;
  }

  return {
    /** Makes one attempt, or joins the one in flight, and returns the state after it. Never rejects. */
    deliver(message: Message): Promise<MessageState> {
      const { idempotencyKey: key } = message;
      const known = unrecorded.get(key);
      if (known) return Promise.resolve(known.outcome.state);
      const running = inFlight.get(key);
      if (running) return running;
      const state = message.store.stateOf(message);
      if (state !== 'pending') return Promise.resolve(state);
      const delivery = attempt(message).finally(() => inFlight.delete(key));
      inFlight.set(key, delivery);
      return delivery;
    },
    isInFlight: (key: string) => inFlight.has(key) || unrecorded.has(key),
    /** Writes the outcomes that a store could not write before. Throws while it still cannot. */
    async recordUnrecorded(store: MessageStore): Promise<void> {
      for (const [key, { message, outcome }] of unrecorded) {
        if (message.store !== store) continue;
        await store.record(message, outcome);
        unrecorded.delete(key);
      }
    },
    /** Resolves when nothing is in flight. */
    async drain(): Promise<void> {
      await Promise.allSettled(inFlight.values());
    },
    /** Records nothing from now on: the stores may be closed. */
    close(): void {
      isClosed = true;
    },
  };
}

export type MessageDelivery = ReturnType<typeof createMessageDelivery>;

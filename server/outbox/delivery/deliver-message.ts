import type {
  AttemptRecord,
  Message,
  MessageStore,
  OutboxKind,
  OutboxState,
} from '#server/outbox/message.ts';
import { attemptDelivery, type Deliver } from './deliver.ts';
import { parseSubmissionResult } from './delivery-outcome.ts';

export interface MessageDeliveryOptions {
  deliver: Deliver;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** Told how each attempt ended. */
  onDelivery(kind: OutboxKind, state: OutboxState): void;
  /** Told when a message is no longer pending. */
  onSettled(message: Message): void;
  /** Told when its store refused to hear what became of a message: `recordUnrecorded` is to be tried until it does. */
  onUnrecorded(message: Message): void;
}

/** Delivers messages and records what became of them. One is never on its way twice at once. */
export function createMessageDelivery({
  deliver,
  logger,
  onDelivery,
  onSettled,
  onUnrecorded,
}: MessageDeliveryOptions) {
  const underWay = new Map<string, Promise<OutboxState>>();
  /** Settled upstream while the store refused to hear of it: must not be delivered again. */
  const unrecorded = new Map<string, { message: Message; outcome: AttemptRecord }>();
  let closed = false;

  async function attempt(message: Message): Promise<OutboxState> {
    const { kind, id, attempts, idempotencyKey } = message;
    const item = { kind, payload: JSON.parse(message.payload), idempotencyKey };
    const outcome = parseSubmissionResult(kind, await attemptDelivery(deliver, item), message.uncertain);
    const { state, error } = outcome;
    onDelivery(kind, state);
    if (closed) return state;
    if (error !== null)
      logger.warn({ kind, id, attempts: attempts + 1, reason: error, state }, 'delivery failed');
    try {
      await message.store.record(message, outcome);
    } catch (cause) {
      logger.error({ err: cause, id }, 'the outcome of a delivery could not be written');
      if (state === 'waiting') return state;
      unrecorded.set(idempotencyKey, { message, outcome });
      onUnrecorded(message);
    }
    if (state !== 'waiting') onSettled(message);
    return state;
  }

  return {
    /** One attempt, or the one that is under way. Never rejects. */
    deliver(message: Message): Promise<OutboxState> {
      const { idempotencyKey: key } = message;
      const known = unrecorded.get(key);
      if (known) return Promise.resolve(known.outcome.state);
      const running = underWay.get(key);
      if (running) return running;
      const state = message.store.stateOf(message);
      if (message.isElsewhere || state !== 'waiting') return Promise.resolve(state);
      const delivery = attempt(message).finally(() => underWay.delete(key));
      underWay.set(key, delivery);
      return delivery;
    },
    isUnderWay: (key: string) => underWay.has(key) || unrecorded.has(key),
    /** Writes what a store refused before. Throws while it still does. */
    async recordUnrecorded(store: MessageStore): Promise<void> {
      for (const [key, { message, outcome }] of unrecorded) {
        if (message.store !== store) continue;
        await store.record(message, outcome);
        unrecorded.delete(key);
      }
    },
    /** Resolves when nothing is on its way. */
    async settle(): Promise<void> {
      await Promise.allSettled(underWay.values());
    },
    /** Nothing is recorded from now on: the store may be closed. */
    close(): void {
      closed = true;
    },
  };
}

export type MessageDelivery = ReturnType<typeof createMessageDelivery>;

import { type Message, OUTBOX_KINDS, type OutboxKind } from '#server/outbox/message.ts';
import type { OutboxStore } from '#server/outbox/sqlite/outbox-store.ts';
import type { StreamOutbox } from './stream-outbox.ts';

/** Messages that are moved together. */
const SUBMISSIONS = 50;
const VIEWS = 500;

export interface StreamMoverOptions {
  stream: Pick<StreamOutbox, 'isUp' | 'move' | 'addViews' | 'isDurable'>;
  stores: () => readonly OutboxStore[];
  /** By idempotency key. */
  isInFlight: (key: string) => boolean;
}

/** Moves to the streams what was kept here while Redis was down. `moving`: must not be delivered meanwhile. */
export function createStreamMover({ stream, stores, isInFlight }: StreamMoverOptions) {
  const moving = new Set<Message>();

  /** Those that are not in flight, nor behind one of their sender that is. */
  function movable(messages: readonly Message[]): Message[] {
    const held = new Set(
      messages.filter((message) => isInFlight(message.idempotencyKey)).map(({ sender }) => sender),
    );
    return messages.filter(
      ({ idempotencyKey, sender }) => !isInFlight(idempotencyKey) && (sender === null || !held.has(sender)),
    );
  }

  /** Returns those that may leave this store. */
  async function moveInOrder(kind: OutboxKind, messages: readonly Message[]): Promise<readonly Message[]> {
    if (kind === 'view') return (await stream.addViews(messages)) ? messages : [];
    const moved: Message[] = [];
    for (const message of messages) {
      if (!(await stream.move(message))) break;
      moved.push(message);
    }
    // Redis could be killed before it has written them down. They are moved again then, under the same key.
    return moved.length === 0 || (await stream.isDurable()) ? moved : [];
  }

  return {
    moving,
    /** Moves a slice of each kind. Rejects where the disk refuses. */
    async move(): Promise<void> {
      for (const store of stores())
        for (const kind of OUTBOX_KINDS) {
          // Redis may be down, or the store closed, since the last slice.
          if (!stream.isUp() || !stores().includes(store)) return;
          const some = movable(store.pending(kind, kind === 'view' ? VIEWS : SUBMISSIONS));
          for (const message of some) moving.add(message);
          try {
            const moved = await moveInOrder(kind, some);
            if (moved.length > 0 && stores().includes(store)) store.remove(moved);
          } finally {
            for (const message of some) moving.delete(message);
          }
        }
    },
  };
}

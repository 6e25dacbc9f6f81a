import { type Message, OUTBOX_KINDS } from '#server/outbox/message.ts';
import type { OutboxStore } from '#server/outbox/sqlite/outbox-store.ts';
import type { StreamOutbox } from './stream-outbox.ts';

/** Moved at once. */
const SUBMISSIONS = 50;
const VIEWS = 500;

export interface StreamMoverOptions {
  stream: StreamOutbox;
  stores: () => readonly OutboxStore[];
  /** On its way upstream, by its idempotency key. */
  isUnderWay: (key: string) => boolean;
  isClosed: () => boolean;
}

/** Moves what was kept here while Redis was away to the stream. */
export function createStreamMover({ stream, stores, isUnderWay, isClosed }: StreamMoverOptions) {
  /** Not to be delivered meanwhile. */
  const moving = new Set<Message>();

  /** Those that are not on their way, nor behind one of their sender that is. */
  function movable(messages: readonly Message[]): Message[] {
    const held = new Set<string | null>();
    return messages.filter(({ idempotencyKey, sender }) => {
      if (isUnderWay(idempotencyKey)) held.add(sender);
      return !isUnderWay(idempotencyKey) && (sender === null || !held.has(sender));
    });
  }

  async function moveSubmissions(messages: readonly Message[]): Promise<Message[]> {
    const moved: Message[] = [];
    for (const message of messages) {
      if (!(await stream.move(message))) break;
      moved.push(message);
    }
    return moved;
  }

  async function moveFrom(store: OutboxStore): Promise<void> {
    for (const kind of OUTBOX_KINDS) {
      const some = movable(store.pending(kind, kind === 'view' ? VIEWS : SUBMISSIONS));
      for (const message of some) moving.add(message);
      try {
        const moved =
          kind === 'view' ? ((await stream.addViews(some)) ? some : []) : await moveSubmissions(some);
        if (moved.length > 0 && !isClosed()) store.remove(moved);
      } finally {
        for (const message of some) moving.delete(message);
      }
    }
  }

  return {
    moving,
    /** Some of it. Rejects where the disk refuses. */
    async move(): Promise<void> {
      for (const store of stores()) if (stream.isUp() && !isClosed()) await moveFrom(store);
    },
  };
}

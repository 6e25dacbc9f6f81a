import type { After } from './clock.ts';
import type { OutboxKind, OutboxRow, OutboxState } from './outbox-row.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { OutboxPeers, SharedItem } from './peers.ts';
import { createViewPeering } from './view-peering.ts';

/** How often an instance shows that it lives, and looks after those that do not. */
const LOOK_EVERY_MS = 3_000;

export interface PeeringOptions {
  store: OutboxStore;
  peers: OutboxPeers;
  /** Wall-clock milliseconds. */
  now: () => number;
  hasRoomForViews: () => boolean;
  after: After;
  /** Told that something may be there to deliver: it was taken over, or is known to be nobody else's. */
  onArrived(kind: OutboxKind): void;
  /** Told that views came to the file, or left it, past the queue. */
  onViewsMoved(): void;
  onError(error: unknown): void;
}

/** Keeps the file and what the other instances know of it the same, and takes over what dead instances held. */
export function createPeering(options: PeeringOptions) {
  const { store, peers, now, hasRoomForViews, after, onArrived, onViewsMoved, onError } = options;
  const views = createViewPeering({
    store,
    peers: peers.views,
    now,
    hasRoom: hasRoomForViews,
    onMoved() {
      onViewsMoved();
      onArrived('view');
    },
  });
  let hasLooked = false;
  let cancel: () => void = () => undefined;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;

  function plan(): void {
    cancel = after(LOOK_EVERY_MS, look);
  }

  function look(): void {
    looking = agree()
      .catch(onError)
      .then(() => {
        if (!hasLooked) {
          hasLooked = true;
          onArrived('view');
        }
        if (!stopped) plan();
      });
  }

  async function agree(): Promise<void> {
    const held = await peers.held();
    for (const item of held) {
      // The file may have been closed meanwhile.
      if (stopped) return;
      await adopt(item);
    }
    if (stopped) return;
    const known = new Set(held.map(({ idempotencyKey }) => idempotencyKey));
    await peers.hold(
      store
        .waitingSubmissions()
        .flatMap(sharedItemOf)
        .filter((item) => !known.has(item.idempotencyKey)),
    );
    await views.agree();
  }

  async function adopt(item: SharedItem): Promise<void> {
    const own = store.submission(item.idempotencyKey);
    // Its end was not heard of, because nobody could be told.
    if (own && own.state !== 'waiting') return peers.settled(item.idempotencyKey, own.state);
    if (own) return;
    // Whoever held it may have tried.
    store.add({ ...item, digest: null, sender: null, uncertain: true });
    onArrived(item.kind);
  }

  /** Nothing is looked at from now on. */
  function cease(): void {
    stopped = true;
    cancel();
  }

  return {
    start: look,
    /** Whether the others were asked once: until then views of an earlier run may be with them. */
    hasLooked: () => hasLooked,
    /** Something of the file no longer waits. */
    settled(
      { id, kind, idempotency_key: key }: Pick<OutboxRow, 'id' | 'kind' | 'idempotency_key'>,
      state: Exclude<OutboxState, 'waiting'>,
    ): void {
      if (kind === 'view') views.settled(id);
      else void peers.settled(key, state);
    },
    cease,
    async stop(): Promise<void> {
      cease();
      await looking;
      // The time for a stop may end meanwhile, and with it the file.
      await views.shareAll().catch(onError);
      await peers.leave();
    },
  };
}

export type Peering = ReturnType<typeof createPeering>;

function sharedItemOf({
  idempotency_key: idempotencyKey,
  kind,
  payload,
  created_at: createdAt,
}: OutboxRow): SharedItem[] {
  return kind === 'view' || payload === null ? [] : [{ idempotencyKey, kind, payload, createdAt }];
}

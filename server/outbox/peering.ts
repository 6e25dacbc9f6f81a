import type { After } from './clock.ts';
import type { OutboxRow } from './outbox-row.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { OutboxPeers, SharedItem } from './peers.ts';
import type { SubmissionKind } from './submissions.ts';
import type { ViewPeering } from './view-peering.ts';

/** How often an instance shows that it lives, and looks after those that do not. */
const LOOK_EVERY_MS = 3_000;

export interface PeeringOptions {
  store: OutboxStore;
  peers: OutboxPeers;
  views: Pick<ViewPeering, 'agree' | 'shareAll'>;
  after: After;
  /** Told that something was taken over. */
  onAdopted(kind: SubmissionKind): void;
  onError(error: unknown): void;
}

/** Keeps the file and what the other instances know of it the same, and takes over what dead instances held. */
export function createPeering({ store, peers, views, after, onAdopted, onError }: PeeringOptions) {
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
    store.add({ ...item, digest: null, uncertain: true });
    onAdopted(item.kind);
  }

  /** Nothing is looked at from now on. */
  function cease(): void {
    stopped = true;
    cancel();
  }

  return {
    /** Resolves when the others have been looked at once. */
    start(): Promise<void> {
      look();
      return looking;
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

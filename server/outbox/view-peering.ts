import type { OutboxStore } from './outbox-store.ts';
import type { SharedView, ViewPeers } from './peers.ts';

/** What waits less long is on its way: while all is well the others hear of no view. */
const SHARED_AFTER_MS = 3_000;
/** Two thousand views are some hundred kilobytes. */
const SHARED_AT_ONCE = 2_000;

export interface ViewPeeringOptions {
  store: Pick<OutboxStore, 'waitingViews' | 'forgetViews' | 'addViews'>;
  peers: ViewPeers;
  /** Wall-clock milliseconds. */
  now: () => number;
  hasRoom: () => boolean;
  /** Told that views came to the file, or left it, past the queue. */
  onMoved(): void;
}

/** Tells the other instances which views wait here, takes over those of dead ones, and leaves to others what they took. */
export function createViewPeering({ store, peers, now, hasRoom, onMoved }: ViewPeeringOptions) {
  let sharedUpTo = 0;
  let offeredUpTo = 0;
  let gone: number[] = [];

  /** Resolves to whether there is more to tell. `before`: wall-clock milliseconds. */
  async function share(before: number): Promise<boolean> {
    const waiting = store.waitingViews({ after: sharedUpTo, before, most: SHARED_AT_ONCE });
    const told = gone.slice(0, SHARED_AT_ONCE);
    if (waiting.length === 0 && told.length === 0 && sharedUpTo === 0) return false;
    gone = gone.slice(told.length);
    offeredUpTo = Math.max(offeredUpTo, waiting.at(-1)?.id ?? 0);
    const known = await peers.share(waiting, told);
    if (known === null) {
      gone = [...told, ...gone];
      return false;
    }
    // A Redis that keeps nothing would be told the same for ever.
    const isHeard = waiting.length === SHARED_AT_ONCE && known > sharedUpTo;
    sharedUpTo = known;
    return isHeard || gone.length > 0;
  }

  async function forgetTaken(): Promise<void> {
    const taken = await peers.takenUpTo();
    if (taken > 0 && store.forgetViews(taken) > 0) onMoved();
  }

  async function adopt(): Promise<void> {
    if (!hasRoom()) return;
    const adopted = await peers.adopt();
    if (adopted.length === 0) return;
    store.addViews(adopted.map(newItemOf));
    onMoved();
  }

  return {
    async agree(): Promise<void> {
      await forgetTaken();
      await share(now() - SHARED_AFTER_MS);
      await adopt();
    },
    /** Before a stop: others may have everything that is left here. */
    async shareAll(): Promise<void> {
      while (await share(Number.POSITIVE_INFINITY));
    },
    /** A view of the file no longer waits. */
    settled(id: number): void {
      if (id <= offeredUpTo) gone.push(id);
    },
  };
}

export type ViewPeering = ReturnType<typeof createViewPeering>;

function newItemOf({ payload, idempotencyKey, createdAt }: SharedView) {
  return {
    kind: 'view',
    payload,
    digest: null,
    sender: null,
    idempotencyKey,
    createdAt,
    uncertain: true,
  } as const;
}

import { randomUUID } from 'node:crypto';
import type { NewItem } from './outbox-row.ts';

/** Views in memory at most; more than that between two commits are no readers. */
const VIEWS_IN_MEMORY = 10_000;
/** Two thousand a second: more readers than that are served by several instances. */
const VIEWS_PER_COMMIT = 500;

/** A view that is not on disk yet. There may be thousands a second: what the disk is to hold is made on the way there. */
export interface BufferedView {
  id: number;
  attempts: number;
  postId: string;
  address: string;
  /** Wall-clock milliseconds. */
  createdAt: number;
}

/** Views between two commits, and for as long as the disk takes none: bounded. No step's cost depends on their number. */
export function createViewBuffer(write: (views: NewItem[]) => void) {
  /** In the order in which they are written and sent. */
  const views = new Map<number, BufferedView>();
  /** On their way upstream straight from here: not to be written meanwhile. */
  const held = new Set<BufferedView>();
  let lastId = 0;
  const keys = randomUUID();

  /** The same item, key and all, each time. */
  function itemOf({ id, postId, address, createdAt }: BufferedView): NewItem {
    const payload = JSON.stringify({ postId, ip_addr: address });
    return { kind: 'view', payload, digest: null, sender: null, idempotencyKey: `${keys}-${id}`, createdAt };
  }

  /** The first few that are neither held nor in `except`. */
  function firstOf(most: number, except?: ReadonlySet<BufferedView>): BufferedView[] {
    const found: BufferedView[] = [];
    for (const view of views.values()) {
      if (found.length === most) break;
      if (!held.has(view) && !except?.has(view)) found.push(view);
    }
    return found;
  }

  return {
    hasRoom: () => views.size < VIEWS_IN_MEMORY,
    add(postId: string, address: string, createdAt: number): void {
      const id = ++lastId;
      views.set(id, { id, attempts: 0, postId, address, createdAt });
    },
    itemOf,
    size: () => views.size,
    first: (except: ReadonlySet<BufferedView>) => firstOf(1, except)[0] ?? null,
    hold: (view: BufferedView) => void held.add(view),
    letGo: (view: BufferedView) => void held.delete(view),
    letAllGo: () => held.clear(),
    remove: ({ id }: BufferedView) => void views.delete(id),
    moveBack(view: BufferedView): void {
      if (views.delete(view.id)) views.set(view.id, view);
    },
    /** Writes a commit's worth and tells how many that was. Throws what `write` throws, and then keeps them. */
    commit(): number {
      const batch = firstOf(VIEWS_PER_COMMIT);
      if (batch.length === 0) return 0;
      write(batch.map(itemOf));
      for (const { id } of batch) views.delete(id);
      return batch.length;
    },
  };
}

export type ViewBuffer = ReturnType<typeof createViewBuffer>;

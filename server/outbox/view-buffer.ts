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

/** Views between two commits, and for as long as the disk takes none: bounded. */
export function createViewBuffer(write: (views: NewItem[]) => void) {
  let views: BufferedView[] = [];
  let lastId = 0;
  /** On its way upstream straight from here: not to be written meanwhile. */
  let held: BufferedView | null = null;
  const keys = randomUUID();

  /** The same item, key and all, each time. */
  function itemOf({ id, postId, address, createdAt }: BufferedView): NewItem {
    const payload = JSON.stringify({ postId, ip_addr: address });
    return { kind: 'view', payload, digest: null, idempotencyKey: `${keys}-${id}`, createdAt };
  }

  return {
    hasRoom: () => views.length < VIEWS_IN_MEMORY,
    add(postId: string, address: string, createdAt: number): void {
      views.push({ id: ++lastId, attempts: 0, postId, address, createdAt });
    },
    itemOf,
    size: () => views.length,
    lastId: () => lastId,
    first: (except?: BufferedView) => views.find((view) => view !== except) ?? null,
    hold(view: BufferedView | null): void {
      held = view;
    },
    remove(view: BufferedView): void {
      views = views.filter((other) => other !== view);
    },
    moveBack(view: BufferedView): void {
      views = [...views.filter((other) => other !== view), view];
    },
    /** Writes a commit's worth and tells how many that was. Throws what `write` throws, and then keeps them. */
    commit(): number {
      const batch = views.filter((view) => view !== held).slice(0, VIEWS_PER_COMMIT);
      if (batch.length === 0) return 0;
      write(batch.map(itemOf));
      const written = new Set(batch);
      views = views.filter((view) => !written.has(view));
      return batch.length;
    },
  };
}

export type ViewBuffer = ReturnType<typeof createViewBuffer>;

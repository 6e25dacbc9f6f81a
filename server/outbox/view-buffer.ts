import type { NewItem } from './outbox-row.ts';

/** Views in memory at most; more than that between two commits are no readers. */
const VIEWS_IN_MEMORY = 10_000;
/** Two thousand a second: more readers than that are served by several instances. */
const VIEWS_PER_COMMIT = 500;

/** A view that is not on disk yet. */
export interface BufferedView {
  id: number;
  attempts: number;
  item: NewItem;
}

/** Views between two commits, and for as long as the disk takes none: bounded. */
export function createViewBuffer(write: (views: NewItem[]) => void) {
  let views: BufferedView[] = [];
  let lastId = 0;
  /** On its way upstream straight from here: not to be written meanwhile. */
  let held: BufferedView | null = null;

  return {
    hasRoom: () => views.length < VIEWS_IN_MEMORY,
    add(item: NewItem): void {
      views.push({ id: ++lastId, attempts: 0, item });
    },
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
      write(batch.map(({ item }) => item));
      const written = new Set(batch);
      views = views.filter((view) => !written.has(view));
      return batch.length;
    },
  };
}

export type ViewBuffer = ReturnType<typeof createViewBuffer>;

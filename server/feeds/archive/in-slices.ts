import { setImmediate as nextTurn } from 'node:timers/promises';

/** Yields a list in slices of `size` items. The event loop is free between two. */
export async function* inSlices<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await nextTurn();
    yield items.slice(from, from + size);
  }
}

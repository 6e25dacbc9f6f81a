import { Fragment, type ReactNode } from 'react';

export interface KeyedListProps<Item> {
  of: readonly Item[];
  children: (item: Item, index: number) => ReactNode;
}

/**
 * Draws what an upstream lists. It may name the same post twice in one list, and of two elements with one key React
 * leaves one standing when the list changes: the second gets a key of its own.
 */
export function KeyedList<Item extends { slug: string }>({ of, children }: KeyedListProps<Item>) {
  const times = new Map<string, number>();
  return of.map((item, index) => {
    const time = (times.get(item.slug) ?? 0) + 1;
    times.set(item.slug, time);
    return <Fragment key={`${item.slug} ${time}`}>{children(item, index)}</Fragment>;
  });
}

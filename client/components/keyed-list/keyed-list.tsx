import { Fragment, type ReactNode } from 'react';

interface KeyedListProps<Item> {
  items: readonly Item[];
  children: (item: Item, index: number) => ReactNode;
}

/**
 * Renders a list with a unique key for each item. The upstream may list a slug twice, and React keeps stale elements of
 * duplicate keys when the list changes: the key is the slug and its count so far.
 */
export function KeyedList<Item extends { slug: string }>({ items, children }: KeyedListProps<Item>) {
  const counts = new Map<string, number>();
  return items.map((item, index) => {
    const count = (counts.get(item.slug) ?? 0) + 1;
    counts.set(item.slug, count);
    return <Fragment key={`${item.slug} ${count}`}>{children(item, index)}</Fragment>;
  });
}

import type { Purge } from './purge.ts';

/** What the cache tells others of, and how they ask to be told. */
export interface CacheEvents {
  /** Called with the keys whose value is another one, or gone. */
  onChange(listener: (keys: string[]) => void): void;
  /** Called with a key whose value the upstream was seen to have changed or taken away: never by a purge alone. */
  onNewValue(listener: (key: string) => void): void;
  /** Called when ages mean something else than before: pages have to look at their data again. */
  onReview(listener: () => void): void;
  /** Called before somebody looks at the counts: what is still to be credited is, then. */
  onLook(listener: () => void): void;
  /** Called after each purge: what is being made of data that was read before must not be shared any more. */
  onPurge(listener: (purge: Purge) => void): void;
}

/** Keeps who is to be told, and tells them in the order in which they asked. */
export function createCacheEvents() {
  const change = createEvent<string[]>();
  const newValue = createEvent<string>();
  const review = createEvent<void>();
  const look = createEvent<void>();
  const purge = createEvent<Purge>();
  const events: CacheEvents = {
    onChange: change.on,
    onNewValue: newValue.on,
    onReview: review.on,
    onLook: look.on,
    onPurge: purge.on,
  };
  return {
    events,
    changed(keys: string[]): void {
      if (keys.length > 0) change.tell(keys);
    },
    newValue: newValue.tell,
    reviewed: review.tell,
    looked: look.tell,
    purged: purge.tell,
  };
}

function createEvent<T>() {
  const listeners: ((about: T) => void)[] = [];
  return {
    on(listener: (about: T) => void): void {
      listeners.push(listener);
    },
    tell(about: T): void {
      for (const listener of listeners) listener(about);
    },
  };
}

import { z } from 'zod';

/**
 * What a purge removes. `soft`: entries become stale instead, and are served while they are refreshed. `assumed`: made by an
 * instance that may have missed an operator's purge.
 */
export const Purge = z.object({
  tags: z.array(z.string()).exactOptional(),
  keys: z.array(z.string()).exactOptional(),
  all: z.boolean().exactOptional(),
  soft: z.boolean().exactOptional(),
  assumed: z.boolean().exactOptional(),
});
export type Purge = z.infer<typeof Purge>;

/** A purge that has happened. */
export interface PurgeEvent extends Purge {
  /** Whether a key's value may be one that was purged: of what is not cached the tags are not known. */
  mayBePurged: (key: string) => boolean;
}

/** Another value of a key, or none, as the upstream was seen to have it. */
export interface NewValue {
  key: string;
  /** Tags of the entry that it replaces; none where that was purged before. */
  tagsBefore: readonly string[];
}

/** A load that failed. */
export interface LoadFailure {
  key: string;
  error: unknown;
}

/** Creates an event. Its listeners are called synchronously, in the order of subscription. */
export function createEvent<T>() {
  const listeners = new Set<(detail: T) => void>();
  return {
    listeners: (): ReadonlySet<(detail: T) => void> => listeners,
    /** Returns what removes the listener. */
    on(listener: (detail: T) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit(detail: T): void {
      for (const listener of listeners) listener(detail);
    },
  };
}

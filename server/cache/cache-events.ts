import type { Purge } from './purge.ts';

/** Another value of a key, as the upstream was seen to have it. */
export interface NewValue {
  key: string;
  /** Null: the key is absent upstream now. */
  digest: string | null;
  /** Tags of the entry that it replaces; none where that was purged before. */
  tagsBefore: readonly string[];
}

/** Subscriptions to what happens in the cache. Listeners are called synchronously, in the order of subscription. */
export interface CacheEvents {
  /** Keys whose value changed or is gone. */
  onChange(listener: (keys: string[]) => void): void;
  /** A key whose value changed upstream, or is absent there now. Not called by a purge alone. */
  onNewValue(listener: (change: NewValue) => void): void;
  /** Policies or the mode changed, so that any entry may have become stale or fresh. */
  onFreshnessChange(listener: () => void): void;
  /** Before the statistics are read: reads that are still to be counted are counted now. */
  onBeforeStats(listener: () => void): void;
  /** After each purge: a response under construction may contain purged values and must not be shared any more. */
  onPurge(listener: (purge: Purge) => void): void;
}

/** Creates the cache's events and the functions that emit them. */
export function createCacheEvents() {
  const change = createEvent<string[]>();
  const newValue = createEvent<NewValue>();
  const freshnessChange = createEvent<void>();
  const beforeStats = createEvent<void>();
  const purge = createEvent<Purge>();
  const events: CacheEvents = {
    onChange: change.on,
    onNewValue: newValue.on,
    onFreshnessChange: freshnessChange.on,
    onBeforeStats: beforeStats.on,
    onPurge: purge.on,
  };
  return {
    events,
    emitChange(keys: string[]): void {
      if (keys.length > 0) change.emit(keys);
    },
    emitNewValue: newValue.emit,
    emitFreshnessChange: freshnessChange.emit,
    emitBeforeStats: beforeStats.emit,
    emitPurge: purge.emit,
  };
}

function createEvent<T>() {
  const listeners: ((detail: T) => void)[] = [];
  return {
    on(listener: (detail: T) => void): void {
      listeners.push(listener);
    },
    emit(detail: T): void {
      for (const listener of listeners) listener(detail);
    },
  };
}

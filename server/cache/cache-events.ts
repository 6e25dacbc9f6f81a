/** Another value of a key, or none, as the upstream was seen to have it. */
export interface NewValue {
  key: string;
  /** Tags of the entry that it replaces; none where that was purged before. */
  tagsBefore: readonly string[];
}

/** Creates an event. Its listeners are called synchronously, in the order of subscription. */
export function createEvent<T>() {
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

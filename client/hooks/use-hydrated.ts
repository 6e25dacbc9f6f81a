import { useSyncExternalStore } from 'react';

const neverChanges = () => () => undefined;

/** Returns whether the component runs in a hydrated page: false on the server and in the first render of hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

import { useEffect, useEffectEvent } from 'react';

/** Calls `onEscape` when Escape is pressed, while `active`. */
export function useEscape(active: boolean, onEscape: () => void): void {
  const onKeyDown = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'Escape') onEscape();
  });
  useEffect(() => {
    if (!active) return;
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [active]);
}

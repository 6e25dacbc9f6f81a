import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Calls `onOutside` on a pointer press outside `area`, while `active`. */
export function useClickOutside(
  area: RefObject<HTMLElement | null>,
  active: boolean,
  onOutside: () => void,
): void {
  const onPointerDown = useEffectEvent(({ target }: PointerEvent) => {
    if (target instanceof Node && !area.current?.contains(target)) onOutside();
  });
  useEffect(() => {
    if (!active) return;
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [active]);
}

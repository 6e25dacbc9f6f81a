import { type RefObject, useEffect, useRef } from 'react';

/** Calls `onOutside` on a pointer press outside `area`, while `active`. */
export function useClickOutside(
  area: RefObject<HTMLElement | null>,
  active: boolean,
  onOutside: () => void,
): void {
  const latest = useRef(onOutside);
  useEffect(() => {
    latest.current = onOutside;
  });
  useEffect(() => {
    if (!active) return;
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !area.current?.contains(target)) latest.current();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [area, active]);
}

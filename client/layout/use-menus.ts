import { type RefObject, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Which menu is open: none or exactly one. Clicking outside, Escape and a navigation close it; Escape gives focus
 * back to its button. On phones the menus stand in a sheet that opens and closes as a whole.
 */
export function useMenus(header: RefObject<HTMLElement | null>) {
  const [open, setOpen] = useState<string | null>(null);
  const [sheetOpen, setSheetOpen] = useState(false);
  const { key } = useLocation();

  const close = useCallback(() => {
    setOpen(null);
    setSheetOpen(false);
  }, []);

  // A navigation is over when the location has another key.
  useEffect(() => {
    if (key) close();
  }, [key, close]);

  useEffect(() => {
    if (open === null && !sheetOpen) return;
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && !header.current?.contains(target)) close();
    };
    const onKeyDown = ({ key: pressed }: KeyboardEvent) => {
      if (pressed !== 'Escape') return;
      header.current
        ?.querySelector<HTMLElement>('[aria-expanded="true"]:not(.header-search-button)')
        ?.focus();
      close();
    };
    document.addEventListener('pointerdown', onPointerDown);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [open, sheetOpen, close, header]);

  return {
    open,
    toggle: (name: string) => setOpen((current) => (current === name ? null : name)),
    sheetOpen,
    toggleSheet: () => setSheetOpen((current) => !current),
  };
}

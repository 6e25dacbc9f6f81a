import { type RefObject, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useClickOutside } from '#client/hooks/use-click-outside.ts';
import { useEscape } from '#client/hooks/use-escape.ts';

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

  const isOpen = open !== null || sheetOpen;
  useClickOutside(header, isOpen, close);

  useEscape(isOpen, () => {
    header.current?.querySelector<HTMLElement>('[aria-expanded="true"]:not(.header-search-button)')?.focus();
    close();
  });

  return {
    open,
    toggle: (name: string) => setOpen((current) => (current === name ? null : name)),
    sheetOpen,
    toggleSheet: () => setSheetOpen((current) => !current),
  };
}

import { type RefObject, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useClickOutside } from '#client/hooks/use-click-outside.ts';
import { useEscape } from '#client/hooks/use-escape.ts';

/**
 * Holds which menu is open, at most one, and whether the sheet that holds the menus on phones is. A click outside, Escape
 * and a navigation close both; Escape returns focus to the button.
 */
export function useMenus(header: RefObject<HTMLElement | null>) {
  const [open, setOpen] = useState<string | null>(null);
  const [sheetOpen, setSheetOpen] = useState(false);
  const { key } = useLocation();

  const close = useCallback(() => {
    setOpen(null);
    setSheetOpen(false);
  }, []);

  // Each navigation gives the location another key.
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

import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { NewsletterDialog } from '../components/newsletter/newsletter-dialog.tsx';

const context = createContext<(() => void) | null>(null);

/** Holds the one Subscribe popup of the page, for every Subscribe on it. */
export function NewsletterProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const show = useCallback(() => setOpen(true), []);
  return (
    <context.Provider value={show}>
      {children}
      <NewsletterDialog open={open} onClose={() => setOpen(false)} />
    </context.Provider>
  );
}

/** Opens the popup; null where there is none. */
export function useNewsletter(): (() => void) | null {
  return useContext(context);
}

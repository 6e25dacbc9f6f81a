import { createContext, type ReactNode, useCallback, useContext, useRef } from 'react';
import { NewsletterDialog } from '../components/newsletter/newsletter-dialog.tsx';

const context = createContext<(() => boolean) | null>(null);

/** Holds the one Subscribe popup of the page, for every Subscribe on it. */
export function NewsletterProvider({ children }: { children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = useCallback(() => {
    dialog.current?.showModal();
    return dialog.current?.open === true;
  }, []);
  return (
    <context.Provider value={open}>
      {children}
      <NewsletterDialog dialog={dialog} />
    </context.Provider>
  );
}

/** Opens the popup. False where there is none: the link then acts as a link. */
export function useNewsletter(): () => boolean {
  return useContext(context) ?? (() => false);
}

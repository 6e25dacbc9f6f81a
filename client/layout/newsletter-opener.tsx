import { type ComponentType, createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import type { NewsletterDialogProps } from '../components/newsletter/newsletter-dialog.tsx';

const context = createContext<(() => void) | null>(null);

/** Where the form stands as a page. */
export const SUBSCRIBE_PATH = '/subscribe';

/** Holds the one Subscribe popup of the page, for every Subscribe on it. Its code comes when it is first asked for. */
export function NewsletterProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const [Dialog, setDialog] = useState<ComponentType<NewsletterDialogProps> | null>(null);

  const show = useCallback(() => {
    setOpen(true);
    import('../components/newsletter/newsletter-dialog.tsx').then(
      ({ NewsletterDialog }) => setDialog(() => NewsletterDialog),
      () => window.location.assign(SUBSCRIBE_PATH),
    );
  }, []);

  return (
    <context.Provider value={show}>
      {children}
      {Dialog && <Dialog open={open} onClose={() => setOpen(false)} />}
    </context.Provider>
  );
}

/** Opens the popup; null where there is none. */
export function useNewsletter(): (() => void) | null {
  return useContext(context);
}

import { type ComponentType, createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import type { NewsletterDialogProps } from '#client/components/newsletter/newsletter-dialog.tsx';
import { SUBSCRIBE_PATH } from './site-links.ts';

const context = createContext<(() => void) | null>(null);

/** Provides the page's Subscribe dialog. Its chunk is loaded when it is first opened. */
export function NewsletterProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const [Dialog, setDialog] = useState<ComponentType<NewsletterDialogProps> | null>(null);

  const show = useCallback(() => {
    setOpen(true);
    import('#client/components/newsletter/newsletter-dialog.tsx').then(
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

/** Returns the function that opens the Subscribe dialog; null without a provider. */
export function useNewsletter(): (() => void) | null {
  return useContext(context);
}

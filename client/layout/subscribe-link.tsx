import {
  type ComponentType,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import type { NewsletterDialogProps } from '#client/components/newsletter/newsletter-dialog.tsx';
import { isPlainClick } from '#client/routing/page-link.ts';
import * as en from '#shared/texts/en.ts';
import { useTexts } from './site-context.tsx';
import { SUBSCRIBE_PATH } from './site-links.ts';

const context = createContext<(() => void) | null>(null);

/**
 * Provides the page's Subscribe dialog, which is mounted while it is open. Its chunk is loaded when it is first opened; where
 * that fails, the page with the same form is shown.
 */
export function NewsletterProvider({ children }: { children: ReactNode }) {
  const [Dialog, setDialog] = useState<ComponentType<NewsletterDialogProps> | null>(null);
  const navigate = useNavigate();

  function show() {
    import('#client/components/newsletter/newsletter-dialog.tsx').then(
      ({ NewsletterDialog }) => setDialog(() => NewsletterDialog),
      () => navigate(SUBSCRIBE_PATH),
    );
  }

  return (
    <context.Provider value={show}>
      {children}
      {Dialog && <Dialog onClose={() => setDialog(null)} />}
    </context.Provider>
  );
}

/** Renders the Subscribe link: it opens the dialog; without JavaScript or in a new tab, the page with the same form. */
export function SubscribeLink({ className }: { className?: string }) {
  const t = useTexts();
  const open = useContext(context);

  function show(event: MouseEvent) {
    if (!open || !isPlainClick(event)) return;
    event.preventDefault();
    open();
  }

  return (
    <a href={SUBSCRIBE_PATH} className={className} aria-haspopup="dialog" onClick={show}>
      {t(en.subscribe)}
    </a>
  );
}

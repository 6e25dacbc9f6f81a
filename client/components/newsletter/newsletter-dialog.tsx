import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { NewsletterForm } from './newsletter-form.tsx';
import './newsletter.css';

export interface NewsletterDialogProps {
  open: boolean;
  /** Called when it was closed: by its button, Escape, a click on the backdrop, or a navigation. */
  onClose: () => void;
}

/** Renders the Subscribe dialog. The form is mounted only while it is open: its messages are gone when it is opened again. */
export function NewsletterDialog({ open, onClose }: NewsletterDialogProps) {
  const t = useTexts();
  const site = useSettings();
  const dialog = useRef<HTMLDialogElement>(null);
  const { key } = useLocation();
  const openedAt = useRef(key);

  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
  }, [open]);

  // A link inside the dialog navigates the page behind it.
  useEffect(() => {
    if (key !== openedAt.current) dialog.current?.close();
    openedAt.current = key;
  }, [key]);

  // Safari has no `closedby`.
  useEffect(() => {
    const element = dialog.current;
    if (element?.closedBy) return;
    const closeOnBackdrop = ({ target }: PointerEvent) => {
      if (target === element) element?.close();
    };
    element?.addEventListener('pointerdown', closeOnBackdrop);
    return () => element?.removeEventListener('pointerdown', closeOnBackdrop);
  }, []);

  return (
    <dialog
      ref={dialog}
      className="newsletter-dialog"
      aria-labelledby="newsletter-title"
      closedby="any"
      onClose={onClose}
    >
      {open && (
        <div className="newsletter-body">
          <h2 id="newsletter-title">{t(en.newsletterHeading, { name: site.name })}</h2>
          <p>{site.newsletter}</p>
          <NewsletterForm id="dialog" />
          {/* Last, so that the dialog opens with focus in the field. */}
          <button
            type="button"
            className="newsletter-close"
            aria-label={t(en.close)}
            onClick={() => dialog.current?.close()}
          >
            ×
          </button>
        </div>
      )}
    </dialog>
  );
}

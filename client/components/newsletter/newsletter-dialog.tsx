import { useEffect, useRef } from 'react';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { NewsletterForm } from './newsletter-form.tsx';
import './newsletter.css';

export interface NewsletterDialogProps {
  /** Called when it was closed: by its button, Escape, a click on the backdrop (not in Safari), or a navigation (`header.tsx`). */
  onClose: () => void;
}

/** Renders the Subscribe dialog, open. */
export function NewsletterDialog({ onClose }: NewsletterDialogProps) {
  const t = useTexts();
  const site = useSettings();
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog
      ref={dialog}
      className="newsletter-dialog"
      aria-labelledby="newsletter-title"
      closedby="any"
      onClose={onClose}
    >
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
    </dialog>
  );
}

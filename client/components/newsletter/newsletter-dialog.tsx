import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';
import { site } from '#shared/site.ts';
import { NewsletterForm } from './newsletter-form.tsx';
import './newsletter.css';

/** The Subscribe popup. */
export function NewsletterDialog({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const { key } = useLocation();

  // A link inside the dialog leads away from under it.
  useEffect(() => {
    if (key) dialog.current?.close();
  }, [key, dialog]);

  useEffect(() => {
    const element = dialog.current;
    const closeOnBackdrop = ({ target }: MouseEvent) => {
      if (target === element) element?.close();
    };
    element?.addEventListener('click', closeOnBackdrop);
    return () => element?.removeEventListener('click', closeOnBackdrop);
  }, [dialog]);

  return (
    <dialog ref={dialog} className="newsletter-dialog" aria-labelledby="newsletter-title">
      <div className="newsletter-body">
        <button
          type="button"
          className="newsletter-close"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          ×
        </button>
        <h2 id="newsletter-title">The week in {site.name}</h2>
        <p>One letter, every Friday: what changed in marketing technology, and what it will cost.</p>
        <NewsletterForm id="dialog" />
      </div>
    </dialog>
  );
}

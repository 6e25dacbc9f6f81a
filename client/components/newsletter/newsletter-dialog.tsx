import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { site } from '#shared/site.ts';
import { NewsletterForm } from './newsletter-form.tsx';
import './newsletter.css';

/** The Subscribe popup: opens each time it is asked for. */
export function NewsletterDialog({ asked }: { asked: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { pathname } = useLocation();
  const page = useRef(pathname);

  useEffect(() => {
    if (asked > 0 && dialog.current?.open === false) dialog.current.showModal();
  }, [asked]);

  // A link inside the dialog leads away from under it.
  useEffect(() => {
    if (page.current !== pathname) dialog.current?.close();
    page.current = pathname;
  }, [pathname]);

  useEffect(() => {
    const element = dialog.current;
    const closeOnBackdrop = ({ target }: MouseEvent) => {
      if (target === element) element?.close();
    };
    element?.addEventListener('click', closeOnBackdrop);
    return () => element?.removeEventListener('click', closeOnBackdrop);
  }, []);

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

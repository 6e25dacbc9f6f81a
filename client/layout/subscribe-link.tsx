import type { MouseEvent } from 'react';
import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { useNewsletter } from './newsletter-opener.tsx';
import { SUBSCRIBE_PATH } from './site-links.ts';

/** Renders the Subscribe link: it opens the dialog; without JavaScript or in a new tab, the page with the same form. */
export function SubscribeLink({ className }: { className?: string }) {
  const t = useTexts();
  const open = useNewsletter();

  function show(event: MouseEvent) {
    if (!open || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open();
  }

  return (
    <a href={SUBSCRIBE_PATH} className={className} aria-haspopup="dialog" onClick={show}>
      {t(en.subscribe)}
    </a>
  );
}

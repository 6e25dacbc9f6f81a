import type { MouseEvent } from 'react';
import { SUBSCRIBE_PATH, useNewsletter } from './newsletter-opener.tsx';

/** The way to the newsletter: opens its popup; without scripts, or in a new tab, a page with the same form. */
export function SubscribeLink({ className }: { className?: string }) {
  const open = useNewsletter();

  function show(event: MouseEvent) {
    if (!open || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open();
  }

  return (
    <a href={SUBSCRIBE_PATH} className={className} aria-haspopup="dialog" onClick={show}>
      Subscribe
    </a>
  );
}

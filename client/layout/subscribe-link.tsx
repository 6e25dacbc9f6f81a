import type { MouseEvent } from 'react';
import { SUBSCRIBE_PATH, useNewsletter } from './newsletter-opener.tsx';

/** Renders the Subscribe link: it opens the dialog; without JavaScript or in a new tab, the page with the same form. */
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

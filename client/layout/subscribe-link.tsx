import { useNewsletter } from './newsletter-opener.tsx';

/** The way to the newsletter: opens its popup; without scripts a page with the same form. */
export function SubscribeLink({ className }: { className?: string }) {
  const open = useNewsletter();
  return (
    <a
      href="/subscribe"
      className={className}
      onClick={(event) => {
        if (!open) return;
        event.preventDefault();
        open();
      }}
    >
      Subscribe
    </a>
  );
}

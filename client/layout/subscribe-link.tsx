/** The way to the newsletter. */
export function SubscribeLink({ className }: { className?: string }) {
  return (
    <a href="/subscribe" className={className}>
      Subscribe
    </a>
  );
}

/** Scrolls without animation. Resolves when React has rendered what follows: it works in message tasks, in order. */
export async function scrollTo(top: number): Promise<void> {
  const { scrollTop } = document.documentElement;
  const heard = new Promise((resolve) => window.addEventListener('scroll', resolve, { once: true }));
  // At once: the site's style is to scroll smoothly, which a busy machine may never end.
  document.documentElement.scrollTo({ top, behavior: 'instant' });
  // No event follows where nothing has moved.
  if (document.documentElement.scrollTop !== scrollTop) await heard;
  for (let round = 0; round < 10; round++) {
    const { port1, port2 } = new MessageChannel();
    const next = new Promise((resolve) => {
      port1.onmessage = resolve;
    });
    port2.postMessage(null);
    await next;
  }
}

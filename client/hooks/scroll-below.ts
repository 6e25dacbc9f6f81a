/** A smooth scroll is over by then, or was given up. */
const CHECK_MS = 1_000;
const READER_SCROLLS = ['wheel', 'touchmove', 'keydown'];

/**
 * Scrolls until an element stands `offset` pixels below the top edge, at once under reduced motion. Pictures that
 * arrive on the way move it, and a busy browser may give up: then it is tried again, unless the reader scrolls.
 */
export function scrollBelow(element: Element, offset: number, tries = 3): void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const away = () => element.getBoundingClientRect().top - offset;
  scrollTo({ top: scrollY + away(), behavior: calm ? 'instant' : 'smooth' });
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const type of READER_SCROLLS)
    addEventListener(type, abort, { signal: controller.signal, passive: true });
  setTimeout(() => {
    if (!controller.signal.aborted && tries > 1 && Math.abs(away()) > 1)
      scrollBelow(element, offset, tries - 1);
    abort();
  }, CHECK_MS);
}

/** A smooth scroll has ended by then, or was interrupted. */
const CHECK_AFTER_MS = 1_000;
const SCROLL_INPUTS = ['wheel', 'touchmove', 'keydown'];

/**
 * Scrolls an element to `offset` pixels below the viewport's top, at once under reduced motion. Retries while the element
 * is elsewhere, since images that load above move it and busy browsers abort smooth scrolls, the last time at once; stops
 * when the reader scrolls.
 */
export function scrollBelow(element: Element, offset: number, tries = 3): void {
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const distance = () => element.getBoundingClientRect().top - offset;
  scrollTo({ top: scrollY + distance(), behavior: reducedMotion || tries === 1 ? 'instant' : 'smooth' });
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const type of SCROLL_INPUTS)
    addEventListener(type, abort, { signal: controller.signal, passive: true });
  setTimeout(() => {
    if (!controller.signal.aborted && tries > 1 && Math.abs(distance()) > 1)
      scrollBelow(element, offset, tries - 1);
    abort();
  }, CHECK_AFTER_MS);
}

/** The reader scrolls, or goes elsewhere: nothing may move the page any more. */
const CANCELLING_EVENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'click', 'popstate'];
/** A layout that has not moved for this long is stable (ms). */
const STABLE_MS = 300;
/** The offset is corrected at the earliest after this long (ms; specification, section 2, Article page). */
const OFFSET_AFTER_MS = 700;
/** Images may go on loading above: correct the position no longer than this (ms). */
const MAX_MS = 5_000;

/**
 * Scrolls an element to `offset` pixels below the viewport's top, smoothly unless reduced motion is requested, and corrects
 * its position until the layout is stable. Any input and any navigation end it, so that only one is ever at work. The
 * router's own scroll to the hash of the same click is smooth too.
 */
export function scrollBelow(element: Element, offset: number): void {
  const controller = new AbortController();
  const { signal } = controller;
  const { style } = document.documentElement;
  const topOf = () => element.getBoundingClientRect().top;
  const scroll = (behavior: ScrollBehavior) =>
    scrollTo({ top: scrollY + topOf() - offset, behavior: isReduced ? 'instant' : behavior });
  const { matches: isReduced } = matchMedia('(prefers-reduced-motion: reduce)');
  const began = performance.now();
  let last = { at: began, top: Number.NaN };
  let hasCorrected = false;

  function correct(now: number): void {
    if (signal.aborted) return;
    const top = topOf();
    if (top !== last.top) last = { at: now, top };
    else if (now - last.at >= STABLE_MS && now - began >= OFFSET_AFTER_MS) {
      // Near the end of the page the element cannot come any higher.
      if (Math.abs(top - offset) <= 1 || hasCorrected) {
        controller.abort();
        return;
      }
      hasCorrected = true;
      scroll('instant');
      last = { at: now, top: topOf() };
    }
    if (now - began < MAX_MS) requestAnimationFrame(correct);
    else controller.abort();
  }

  style.scrollBehavior = 'smooth';
  signal.addEventListener('abort', () => style.removeProperty('scroll-behavior'));
  scroll('smooth');
  // The click that asked for this is still on its way.
  setTimeout(() => {
    for (const type of CANCELLING_EVENTS)
      addEventListener(type, () => controller.abort(), { signal, passive: true, capture: true });
  });
  requestAnimationFrame(correct);
}

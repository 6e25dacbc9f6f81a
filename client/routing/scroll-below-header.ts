/** The reader scrolls, or goes elsewhere: nothing may move the page any more. */
const CANCELLING_EVENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'click', 'popstate'];
/** A layout that has not moved for this long is stable (ms). */
const STABLE_MS = 300;
/** The offset is corrected at the earliest after this long (ms; specification, section 2, Article page). */
const OFFSET_AFTER_MS = 700;
/** Images may go on loading above: wait for them no longer than this (ms). */
const MAX_MS = 5_000;

/**
 * Scrolls an element to `offset` pixels below the viewport's top, smoothly unless reduced motion is requested, and corrects
 * its position until the layout is stable there. Any input and any navigation end it, so that only one is ever at work. The
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
  let corrected = Number.NaN;

  function correct(now: number): void {
    if (signal.aborted) return;
    const top = topOf();
    if (top !== last.top) last = { at: now, top };
    const isLate = now - began >= MAX_MS;
    const isStable = now - last.at >= STABLE_MS && now - began >= OFFSET_AFTER_MS;
    if (isLate || (isStable && top !== corrected)) {
      scroll('instant');
      corrected = topOf();
      // A smooth scroll that a busy browser has yet to run may still end elsewhere.
      last = { at: now, top: corrected };
    } else if (isStable) controller.abort();
    if (isLate) controller.abort();
    else requestAnimationFrame(correct);
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

import { scrollBelow } from '#client/routing/scroll-below-header.ts';

/** Distance of the heading from the viewport's top after the correction (specification, section 9). */
const OFFSET_PX = 125;
/** Delay of the correction (ms). */
const OFFSET_AFTER_MS = 700;

/** Scrolls to a heading, corrects the position for the sticky bar, focuses the heading, and sets the URL's hash. */
export function scrollToHeading(id: string): void {
  const heading = document.getElementById(id);
  if (!heading) return;
  const behavior = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
  history.replaceState(history.state, '', `#${id}`);
  heading.setAttribute('tabindex', '-1');
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ behavior });
  setTimeout(() => scrollBelow(heading, OFFSET_PX), OFFSET_AFTER_MS);
}

/** What a page says of the elements that a selector and an accessible name match. */
export type FoundElements = {
  /** Number of visible ones. */
  count: number;
  /** Centre of the first visible one in the viewport, in CSS pixels, and whether a click there would reach it. */
  x: number;
  y: number;
  isClear: boolean;
};

/**
 * Finds the visible elements that match. Runs in the page, so nothing of this module may be named in it.
 * `name`: source of a pattern for the accessible name. `isScrolledTo`: whether the first one is brought into view.
 */
export function findElements(css: string, name: string, isScrolledTo: boolean): FoundElements {
  const pattern = new RegExp(name);
  const nameOf = (element: Element) =>
    (element.getAttribute('aria-label') ?? element.textContent).replace(/\s+/g, ' ').trim();
  const visible = [...document.querySelectorAll(css)].filter(
    (element) => element.checkVisibility({ visibilityProperty: true }) && pattern.test(nameOf(element)),
  );
  const [first] = visible;
  if (first === undefined) return { count: 0, x: 0, y: 0, isClear: false };
  const measure = () => {
    const { left, top, width, height } = first.getBoundingClientRect();
    const x = Math.round(left + width / 2);
    const y = Math.round(top + height / 2);
    const hit = document.elementFromPoint(x, y);
    // What merely contains it would take the click; a label passes it on.
    const isClear = hit !== null && (first.contains(hit) || hit.closest('label')?.contains(first) === true);
    return { count: visible.length, x, y, isClear };
  };
  const found = measure();
  // What is in view stays where it is: a sticky element would never come to rest.
  if (found.isClear || !isScrolledTo) return found;
  first.scrollIntoView({ block: 'center', behavior: 'instant' });
  return measure();
}

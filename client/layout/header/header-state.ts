/** Height of the condensed header in CSS pixels: `--bar`. */
const CONDENSED_HEIGHT = 56;

/**
 * Keeps the header's state in attributes: `aria-expanded` of the buttons that open a popover, here and in pages, and
 * `data-condensed` of the document while the header is condensed. Opening the search box focuses its field, and Escape in
 * it closes the box once it is empty; closing a popover that has the focus returns it to the button. Runs before hydration
 * too. `place`: where the header is.
 */
export function trackHeaderState(page: Document, place: DOMRectReadOnly): void {
  const updateCondensed = ({ top, bottom }: DOMRectReadOnly) => {
    // On phones the bar has one height: nothing of it is ever above the window.
    page.documentElement.toggleAttribute('data-condensed', top < 0 && bottom < CONDENSED_HEIGHT + 1);
  };
  const update = () => {
    // Asked for each time: where hydration fails, React renders another header.
    const header = page.querySelector('.header');
    if (header) updateCondensed(header.getBoundingClientRect());
  };
  for (const type of ['scroll', 'resize']) addEventListener(type, update, { passive: true });
  updateCondensed(place);

  // Neither event bubbles. The first is the last moment when the focus is still inside, the second when it can go there.
  for (const type of ['beforetoggle', 'toggle'] as const) page.addEventListener(type, updatePopover, true);
  // Safari's search fields take Escape for themselves, also where there is nothing left to clear.
  page.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') page.querySelector<HTMLElement>('#search:has(:placeholder-shown)')?.hidePopover();
  });
}

function updatePopover({ target, newState }: ToggleEvent): void {
  if (!(target instanceof Element)) return;
  const open = newState === 'open';
  const button = document.querySelector<HTMLElement>(`[aria-controls="${target.id}"]`);
  button?.setAttribute('aria-expanded', `${open}`);
  if (open) target.querySelector('input')?.focus();
  // Browsers return the focus from the sheet, but not from a menu inside it.
  else if (target.contains(document.activeElement)) button?.focus();
}

/** Height of the condensed header in CSS pixels: `--bar`. */
const CONDENSED_HEIGHT = 56;

/**
 * Keeps the header's state in attributes: `aria-expanded` of the buttons that open a popover, and `data-condensed` of the
 * document while the header is condensed. Opening the search box focuses its field. Runs before hydration too.
 */
export function trackHeaderState(page: Document): void {
  const updateCondensed = () => {
    const { top = 0, bottom = 0 } = page.querySelector('.header')?.getBoundingClientRect() ?? {};
    // On phones the bar has one height: nothing of it is ever above the window.
    page.documentElement.toggleAttribute('data-condensed', top < 0 && bottom < CONDENSED_HEIGHT + 1);
  };
  for (const type of ['scroll', 'resize']) addEventListener(type, updateCondensed, { passive: true });
  updateCondensed();

  // `toggle` does not bubble.
  page.addEventListener('toggle', updateExpanded, true);
}

function updateExpanded({ target, newState }: ToggleEvent): void {
  if (!(target instanceof Element)) return;
  const open = newState === 'open';
  document.querySelector(`[aria-controls="${target.id}"]`)?.setAttribute('aria-expanded', `${open}`);
  if (open) target.querySelector('input')?.focus();
}

import { isSlashOn, rememberSearch } from './recent-searches.ts';

const TYPED_INTO = 'input, textarea, select, [contenteditable]';

/**
 * Makes the header's search box quicker, once the page is live: the key / leads to it, and what is searched for is
 * remembered. Loaded after everything else; without it the box works as well.
 */
export function addSearchShortcuts(page: Document): void {
  page.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (key !== '/' || ctrlKey || metaKey || altKey || event.defaultPrevented || !isSlashOn()) return;
    if ((target instanceof Element && target.closest(TYPED_INTO)) || page.querySelector('dialog[open]'))
      return;
    event.preventDefault();
    openSearch(page);
  });
  page.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !target.matches('.header-search form')) return;
    const term = new FormData(target).get('term');
    if (typeof term === 'string' && term.trim() !== '') rememberSearch(term.trim());
  });
}

/** The field, or on phones the button that it stands behind. */
function openSearch(page: Document): void {
  const field = page.querySelector<HTMLInputElement>('.header-search input');
  if (field?.checkVisibility({ visibilityProperty: true })) field.focus();
  else page.querySelector<HTMLButtonElement>('.header-search-button')?.click();
}

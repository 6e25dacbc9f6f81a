import { isSlashEnabled, rememberSearch } from './recent-searches.ts';

const TEXT_INPUTS = 'input, textarea, select, [contenteditable]';

/** Adds the / key, which focuses the search field, and the list of recent searches. Loaded after hydration. */
export function addSearchShortcuts(page: Document): void {
  page.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (key !== '/' || ctrlKey || metaKey || altKey || event.defaultPrevented || !isSlashEnabled()) return;
    if ((target instanceof Element && target.closest(TEXT_INPUTS)) || page.querySelector('dialog[open]'))
      return;
    event.preventDefault();
    focusSearch(page);
  });
  page.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement) || !target.matches('form[action="/search"]')) return;
    const term = new FormData(target).get('term');
    if (typeof term === 'string' && term.trim() !== '') rememberSearch(term.trim());
  });
}

/** Focuses the field, or opens it by its button where space is short. */
function focusSearch(page: Document): void {
  const fields = page.querySelectorAll<HTMLInputElement>('form[action="/search"] input');
  const field = Array.from(fields).find((input) => input.checkVisibility({ visibilityProperty: true }));
  if (field) field.focus();
  else page.querySelector<HTMLButtonElement>('.header-search-button')?.click();
}

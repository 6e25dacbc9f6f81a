/** Recent search terms and the setting of the / key, in this browser's `localStorage` alone. */

const TERMS_KEY = 'recent-searches';
const SLASH_OFF_KEY = 'no-slash-key';
const MAX_TERMS = 8;

/** Reads an item; null too where the browser forbids storage. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores an item, or removes it for null. Does nothing where storage is forbidden or full. */
function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The search works without it.
  }
}

/** Returns the recent terms, the latest first. */
export function recentSearches(): string[] {
  try {
    const terms: unknown = JSON.parse(read(TERMS_KEY) ?? '[]');
    return Array.isArray(terms) ? terms.filter((term) => typeof term === 'string').slice(0, MAX_TERMS) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(term: string): void {
  const others = recentSearches().filter((other) => other !== term);
  write(TERMS_KEY, JSON.stringify([term, ...others].slice(0, MAX_TERMS)));
}

export function forgetSearches(): void {
  write(TERMS_KEY, null);
}

/** Returns whether the / key focuses the search box. Single-key shortcuts must be switchable (WCAG 2.2, 2.1.4). */
export function isSlashEnabled(): boolean {
  return read(SLASH_OFF_KEY) === null;
}

export function setSlashEnabled(enabled: boolean): void {
  write(SLASH_OFF_KEY, enabled ? null : '1');
}

/** What this browser remembers of a reader's searches. It is sent to nobody. */

const TERMS = 'recent-searches';
const NO_SLASH = 'no-slash-key';
const MOST = 8;

/** The storage may be forbidden, or full: then nothing is remembered. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // As without it.
  }
}

/** The last terms, the latest first. */
export function recentSearches(): string[] {
  try {
    const terms: unknown = JSON.parse(stored(TERMS) ?? '[]');
    return Array.isArray(terms) ? terms.filter((term) => typeof term === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(term: string): void {
  const others = recentSearches().filter((other) => other !== term);
  store(TERMS, JSON.stringify([term, ...others].slice(0, MOST)));
}

export function forgetSearches(): void {
  store(TERMS, null);
}

/** A key that works everywhere is one that a reader can turn off (WCAG 2.2, 2.1.4). */
export function isSlashOn(): boolean {
  return stored(NO_SLASH) === null;
}

export function turnSlash(on: boolean): void {
  store(NO_SLASH, on ? null : '1');
}

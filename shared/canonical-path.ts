import { decodeSegment, encodeSegment } from './urls.ts';

/** Not in any path: control characters and noncharacters (Unicode, 23.7). */
const INVALID_TEXT = /[\p{Cc}\p{Noncharacter_Code_Point}]/u;

/**
 * Returns the canonical form of a path: no trailing slash, each segment escaped by `encodeSegment` (RFC 3986, 6.2.2). Paths
 * with the same decoded segments have the same canonical form. It starts with one slash, never two. Null if a segment is
 * empty or has a broken escape, invalid UTF-8 or a control character.
 */
export function canonicalPath(path: string): string | null {
  if (!path.startsWith('/')) return null;
  const segments = path.replace(/\/$/, '').split('/').slice(1);
  const canonical: string[] = [];
  for (const segment of segments) {
    const text = decodeSegment(segment);
    if (text === null || text === '' || INVALID_TEXT.test(text)) return null;
    canonical.push(encodeSegment(text));
  }
  return `/${canonical.join('/')}`;
}

/** Splits a request target into path and query, the query with its question mark, or empty. */
export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark)];
}

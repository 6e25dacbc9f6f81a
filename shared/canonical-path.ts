import { decodeDots, encodeSegment } from './urls.ts';

/** What no address of ours has: control characters, and code points that are no characters (Unicode, 23.7). */
const NO_TEXT = /[\p{Cc}\p{Noncharacter_Code_Point}]/u;

/**
 * The one spelling of a path: no slash at the end, each segment escaped by `encodeSegment` (RFC 3986, 6.2.2). Two paths
 * that name the same segments have the same canonical path. Null where a segment is empty or no text: a broken escape,
 * bytes that are not UTF-8, a control character. What it returns begins with one slash and never with two.
 */
export function canonicalPath(path: string): string | null {
  if (!path.startsWith('/')) return null;
  const segments = path.replace(/\/$/, '').split('/').slice(1);
  const canonical: string[] = [];
  for (const segment of segments) {
    const text = decode(segment);
    if (text === null || text === '' || NO_TEXT.test(text)) return null;
    canonical.push(encodeSegment(text));
  }
  return `/${canonical.join('/')}`;
}

/** A request target's path and the rest of it: the query with its question mark, empty where there is none. */
export function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark)];
}

function decode(segment: string): string | null {
  try {
    return decodeDots(decodeURIComponent(segment));
  } catch {
    return null;
  }
}

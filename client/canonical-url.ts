import { decodeDots, encodeSegment } from '#shared/urls.ts';
import { pageOfPath } from './page-of-path.ts';

/** A page's one address. `null`: no page can have the address that was asked for. */
export interface CanonicalUrl {
  page: string;
  /** Path and query: the key of the page's bytes. */
  url: string;
}

/**
 * The canonical form of a request's path and query: no trailing slash, one spelling of each segment, only the query
 * parameters that the page's route lists, in the route's order. Every unknown path is one page, `/404`.
 */
export function canonicalUrl(target: string): CanonicalUrl {
  const [rawPath = '/', rawQuery = ''] = split(target);
  const path = canonicalPath(rawPath);
  const page = path === null ? undefined : pageOfPath(path);
  if (path === null || page === undefined) return { page: 'not-found', url: '/404' };
  const given = new URLSearchParams(rawQuery);
  const query = new URLSearchParams();
  for (const [parameter, canonical] of Object.entries(page.query)) {
    const value = canonical(given.get(parameter));
    if (value !== null) query.set(parameter, value);
  }
  return { page: page.name, url: query.size > 0 ? `${path}?${query}` : path };
}

function split(target: string): [string, string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** Null where a segment is no text (a broken escape, a control character) or empty. */
function canonicalPath(path: string): string | null {
  const segments = path.replace(/\/$/, '').split('/').slice(1);
  const canonical: string[] = [];
  for (const segment of segments) {
    const text = decode(segment);
    if (text === null || text === '' || hasControl(text)) return null;
    canonical.push(encodeSegment(text));
  }
  return `/${canonical.join('/')}`;
}

function decode(segment: string): string | null {
  try {
    return decodeDots(decodeURIComponent(segment));
  } catch {
    return null;
  }
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 32 || code === 127) return true;
  }
  return false;
}

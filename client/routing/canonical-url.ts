import { canonicalPath, splitTarget } from '#shared/canonical-path.ts';
import { isForeignPath } from '#shared/foreign-path.ts';
import { matchPage, type PageMatch } from './match-page.ts';

/** The page of a request target, under its one address. */
export interface CanonicalUrl {
  page: string;
  /** Path and query: the key of the page's bytes. */
  url: string;
  /** Where a path that is spelled otherwise redirects, the query as it was; null where it is spelled so. */
  redirect: string | null;
}

/**
 * The canonical form of a request's path and query: `canonicalPath`, the words of the page table in lower case, only
 * the query parameters that the page's route lists, in the route's order. Every unknown path is one page, `/404`,
 * however it is spelled.
 */
export function canonicalUrl(target: string): CanonicalUrl {
  const [rawPath, rawQuery] = splitTarget(target);
  const found = matchPage(canonicalPath(rawPath));
  if (found === null || isForeign(found)) return { page: 'not-found', url: '/404', redirect: null };
  const { page, path } = found;
  const given = new URLSearchParams(rawQuery);
  const query = new URLSearchParams();
  for (const [parameter, canonical] of Object.entries(page.query)) {
    const value = canonical(given.get(parameter));
    if (value !== null) query.set(parameter, value);
  }
  return {
    page: page.name,
    url: query.size > 0 ? `${path}?${query}` : path,
    redirect: path === rawPath ? null : path + rawQuery,
  };
}

/** Readers search for anything, names of files among it. */
function isForeign({ page, path }: PageMatch): boolean {
  return page.name !== 'search' && isForeignPath(path);
}

import { canonicalPath, splitTarget } from '#shared/canonical-path.ts';
import { isNonPagePath } from '#shared/non-page-path.ts';
import { matchPage, type PageMatch } from './match-page.ts';

/**
 * Returns the page of a request target and its canonical URL: `canonicalPath`, static segments in lower case, and only the
 * query parameters that the route lists, in its order. Every unknown path is the page `/404`. `ownPages`: names of the
 * publisher's own pages. `url`: the response cache's key. `redirect`: target of a path that is spelled differently, with
 * the query unchanged; null if it is canonical.
 */
export function canonicalUrl(target: string, ownPages?: ReadonlySet<string>) {
  const [rawPath, rawQuery] = splitTarget(target);
  const found = matchPage(canonicalPath(rawPath), ownPages);
  if (found === null || isImpossible(found)) return { page: 'not-found', url: '/404', redirect: null };
  const { page, path } = found;
  const given = new URLSearchParams(rawQuery);
  const query = new URLSearchParams();
  for (const [parameter, canonical] of Object.entries(page.query ?? {})) {
    const value = canonical(given.get(parameter));
    if (value !== null) query.set(parameter, value);
  }
  return {
    page: page.name,
    url: query.size > 0 ? `${path}?${query}` : path,
    redirect: path === rawPath ? null : path + rawQuery,
  };
}

/** Returns whether no page can have the path. Search terms may be anything. */
function isImpossible({ page, path }: PageMatch): boolean {
  return page.name !== 'search' && isNonPagePath(path);
}

import { matchRoutes, type RouteObject } from 'react-router';

/**
 * Feeds, files and assets are no pages, though their addresses may look like one's. A slash at the end and a capital
 * before a slash may be another spelling of a page's address, which the server redirects.
 */
const FOR_THE_SERVER = /\.[a-zA-Z]+$|[A-Z].*\/|.\/$/;

/**
 * The address of the site's own page that a link leads to, for an event on it or within it. Null for anything else: a
 * link to another origin, window, download or file, and an address that no page has.
 */
export function pageLink({ target }: Event, routes: RouteObject[]): { link: Element; url: URL } | null {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download')) return null;
  if (link.origin !== window.location.origin || FOR_THE_SERVER.test(link.pathname)) return null;
  const page = matchRoutes(routes, link.pathname)?.at(-1)?.route;
  return page && page.path !== '*' ? { link, url: new URL(link.href) } : null;
}

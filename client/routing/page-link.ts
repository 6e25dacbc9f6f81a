import { matchRoutes, type RouteObject } from 'react-router';
import type { PageRecord } from '#client/routes.tsx';

/**
 * Paths that only the server resolves: feeds, files and assets, which may look like pages; and a trailing slash or a
 * capital before a slash, which it may redirect to the canonical path.
 */
const FOR_THE_SERVER = /\.[a-zA-Z]+$|[A-Z].*\/|.\/$/;

/** Returns whether a route's handle is its entry of the page table. */
export function isPage(handle: unknown): handle is PageRecord {
  return handle instanceof Object && 'module' in handle;
}

/** Returns whether a click opens a link in this window: with a key held, browsers open another one, or a menu, or download. */
export function isPlainClick(
  click: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>,
): boolean {
  return click.button === 0 && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey;
}

/**
 * Returns the link that an event happened on and its URL if that is a page of the site; else null: a link to another
 * origin, another window, a download, a file, or an unknown path.
 */
export function pageLink(
  { target }: Event,
  routes: RouteObject[],
): { link: HTMLAnchorElement; url: URL } | null {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download')) return null;
  if (link.origin !== window.location.origin || FOR_THE_SERVER.test(link.pathname)) return null;
  const page = matchRoutes(routes, link.pathname)?.at(-1)?.route;
  return page && page.path !== '*' ? { link, url: new URL(link.href) } : null;
}

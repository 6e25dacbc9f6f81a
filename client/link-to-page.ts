import { canonicalUrl } from './canonical-url.ts';

/** Feeds, files and assets are no pages, though their addresses may look like one's. */
const FILE = /\.[a-z]+$/i;

/**
 * The address of the site's own page that a link leads to, for an event on it or within it. Null for anything else: a
 * link to another origin, window, download or file, an address that no page has, and one that the server redirects to its
 * canonical spelling.
 */
export function linkToPage({ target }: Event): { link: Element; url: URL } | null {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download')) return null;
  if (link.origin !== window.location.origin || FILE.test(link.pathname)) return null;
  const { page, redirect } = canonicalUrl(link.pathname);
  return page !== 'not-found' && redirect === null ? { link, url: new URL(link.href) } : null;
}

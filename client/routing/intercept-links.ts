import type { DataRouter, RouteObject } from 'react-router';
import { isPlainClick, pageLink } from './page-link.ts';

/** Property of the history's state: which link left the page, so that Back can focus it. */
export interface FollowedLink {
  href: string;
  /** Place among the links of the page with the same address. */
  index: number;
}

/** Returns the links of the page with an address as it is written. */
export function linksTo(page: Document, href: string): HTMLAnchorElement[] {
  return [...page.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    (link) => link.getAttribute('href') === href,
  );
}

/**
 * Navigates with the router when a link to one of the site's pages is clicked, also to a place within the page and in
 * article HTML: links are plain `<a>` elements everywhere. Leaves modified clicks to the browser. Notes in the history's
 * state which link was followed. A link with `data-keep-scroll` keeps the scroll position and has no view transition.
 */
export function interceptLinks(document: Document, router: DataRouter, routes: RouteObject[]): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || !isPlainClick(event)) return;
    const found = pageLink(event, routes);
    if (!found) return;
    const { pathname, search, hash } = found.url;
    const { location, history } = window;
    const isHere = pathname + search === location.pathname + location.search;
    event.preventDefault();
    const href = found.link.getAttribute('href') ?? '';
    const followed: FollowedLink = { href, index: linksTo(document, href).indexOf(found.link) };
    history.replaceState({ ...history.state, followed }, '');
    const keepsScroll = found.link.hasAttribute('data-keep-scroll');
    const { state } = router;
    const path = isHere ? state.location : { pathname, search };
    const to = { pathname: path.pathname, search: path.search, hash };
    void router.navigate(to, {
      replace: isHere && hash === location.hash,
      preventScrollReset: keepsScroll,
      viewTransition: !isHere && !keepsScroll && 'startViewTransition' in document,
    });
  });
}

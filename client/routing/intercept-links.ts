import type { DataRouter, RouteObject } from 'react-router';
import { pageLink } from './page-link.ts';

/**
 * Leads clicks on links to the site's own pages through the router, those in article bodies too, so that a link is a
 * plain `<a>` wherever it stands. All else is the browser's: other buttons, keys held, places within the page. A link
 * with `data-keep-scroll` leaves the page where it is; the others fade into theirs.
 */
export function interceptLinks(document: Document, router: DataRouter, routes: RouteObject[]): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const found = pageLink(event, routes);
    if (!found) return;
    const { pathname, search, hash } = found.url;
    const here = pathname + search === window.location.pathname + window.location.search;
    if (here && hash) return;
    event.preventDefault();
    const stays = found.link.hasAttribute('data-keep-scroll');
    void router.navigate(pathname + search + hash, {
      replace: here,
      preventScrollReset: stays,
      viewTransition: !stays && 'startViewTransition' in document,
    });
  });
}

import type { DataRouter, RouteObject } from 'react-router';
import { pageLink } from './page-link.ts';

/**
 * Navigates with the router when a link to one of the site's pages is clicked, also in article HTML: links are plain
 * `<a>` elements everywhere. Leaves modified clicks and links within the page to the browser. A link with
 * `data-keep-scroll` keeps the scroll position and has no view transition.
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
    const keepsScroll = found.link.hasAttribute('data-keep-scroll');
    void router.navigate(pathname + search + hash, {
      replace: here,
      preventScrollReset: keepsScroll,
      viewTransition: !keepsScroll && 'startViewTransition' in document,
    });
  });
}

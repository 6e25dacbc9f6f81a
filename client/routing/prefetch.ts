import { matchRoutes, type RouteObject, type RouterContextProvider } from 'react-router';
import type { PageRecord } from '#client/routes.tsx';
import { pageLink } from './page-link.ts';

/**
 * Fetches a page's code and data when a reader points at, touches or focuses a link to it. The answers are
 * kept for the click by `http-site-api.ts`; failures are left for the click to report.
 */
export function prefetch(document: Document, routes: RouteObject[], context: RouterContextProvider): void {
  const seen = new Set<string>();

  async function fetchPage(url: URL): Promise<void> {
    for (const { route, params } of matchRoutes(routes, url) ?? []) {
      if (!isPage(route.handle)) continue;
      const { loader } = await route.handle.module();
      await loader?.({ request: new Request(url), url, params, context, pattern: route.handle.path });
    }
  }

  function consider(event: Event): void {
    const url = pageLink(event, routes)?.url;
    if (!url) return;
    url.hash = '';
    if (url.href === document.location.href || seen.has(url.href) || savesData()) return;
    seen.add(url.href);
    setTimeout(() => seen.delete(url.href), 20_000);
    fetchPage(url).catch(() => undefined);
  }

  for (const type of ['pointerover', 'touchstart', 'focusin']) {
    document.addEventListener(type, consider, { passive: true, capture: true });
  }
}

function isPage(handle: unknown): handle is PageRecord {
  return typeof handle === 'object' && handle !== null && 'module' in handle;
}

/** True where the reader asked the browser to save data. */
function savesData(): boolean {
  return 'connection' in navigator && Boolean((navigator.connection as { saveData?: boolean }).saveData);
}

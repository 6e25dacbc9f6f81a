import { matchRoutes, type RouteObject, type RouterContextProvider } from 'react-router';
import type { PageRecord } from '#client/routes.tsx';
import { pageLink } from './page-link.ts';

/**
 * Prefetches a page's chunk and data when a link to it is hovered, touched or focused. `http-site-api.ts` shares the
 * response with the navigation. Failures are ignored: the navigation reports its own.
 */
export function prefetch(document: Document, routes: RouteObject[], context: RouterContextProvider): void {
  const seen = new Set<string>();

  async function prefetchPage(url: URL): Promise<void> {
    for (const { route, params } of matchRoutes(routes, url) ?? []) {
      if (!isPage(route.handle)) continue;
      const { loader } = await route.handle.module();
      await loader?.({ request: new Request(url), url, params, context, pattern: route.handle.path });
    }
  }

  function onIntent(event: Event): void {
    const url = pageLink(event, routes)?.url;
    if (!url) return;
    url.hash = '';
    if (url.href === document.location.href || seen.has(url.href) || savesData()) return;
    seen.add(url.href);
    setTimeout(() => seen.delete(url.href), 20_000);
    prefetchPage(url).catch(() => undefined);
  }

  for (const type of ['pointerover', 'touchstart', 'focusin']) {
    document.addEventListener(type, onIntent, { passive: true, capture: true });
  }
}

function isPage(handle: unknown): handle is PageRecord {
  return typeof handle === 'object' && handle !== null && 'module' in handle;
}

/** Returns whether the browser is in data-saving mode. */
function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return connection instanceof Object && Reflect.get(connection, 'saveData') === true;
}

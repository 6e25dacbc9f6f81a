import { matchRoutes, type RouteObject } from 'react-router';
import { loaderInput } from '#client/api/page-loader.ts';
import type { SiteApi } from '#shared/site-api.ts';
import { isPage, pageLink } from './page-link.ts';

/** A pointer or the focus that stays on a link for this long means it (ms). */
const DWELL_MS = 80;
/** A link is not prefetched again for this long (ms). */
const AGAIN_AFTER_MS = 20_000;
const MAX_CONCURRENT = 2;
/** The finger scrolls, the pointer or the focus is elsewhere, or the click itself loads the page. */
const ENDING_EVENTS = ['pointerout', 'pointercancel', 'focusout', 'click'];

/**
 * Prefetches a page's chunk and data when a link to it is hovered, touched or focused for `DWELL_MS`, and at once when a
 * mouse button is pressed on it. `http-site-api.ts` shares the response with the navigation. Failures are ignored: the
 * navigation reports its own. Does nothing on a connection that saves data or is as slow as 2G.
 */
export function prefetch(document: Document, routes: RouteObject[], api: SiteApi): void {
  const seen = new Set<string>();
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** The loaders are called by hand: the router's data mode has no call for it. */
  async function prefetchPage(url: URL): Promise<void> {
    for (const { route, params } of matchRoutes(routes, url) ?? []) {
      if (!isPage(route.handle)) continue;
      const { loader } = await route.handle.module();
      await loader?.(loaderInput(api, url, params));
    }
  }

  function start(url: URL): void {
    if (seen.has(url.href) || running >= MAX_CONCURRENT) return;
    seen.add(url.href);
    setTimeout(() => seen.delete(url.href), AGAIN_AFTER_MS);
    running += 1;
    prefetchPage(url)
      .catch(() => undefined)
      .finally(() => {
        running -= 1;
      });
  }

  function onIntent(event: Event): void {
    clearTimeout(timer);
    const url = pageLink(event, routes)?.url;
    if (!url) return;
    url.hash = '';
    if (url.href === document.location.href.replace(/#.*/, '') || isSlowOrMetered()) return;
    const isPressed =
      event instanceof PointerEvent && event.type === 'pointerdown' && event.pointerType !== 'touch';
    if (isPressed) start(url);
    else timer = setTimeout(() => start(url), DWELL_MS);
  }

  for (const type of ['pointerover', 'pointerdown', 'focusin'])
    document.addEventListener(type, onIntent, { passive: true, capture: true });
  for (const type of ENDING_EVENTS)
    document.addEventListener(type, () => clearTimeout(timer), { passive: true, capture: true });
}

/** Returns whether the browser saves data, or its connection is as slow as 2G, as far as it says so (Network Information API). */
function isSlowOrMetered(): boolean {
  const connection: { saveData?: boolean; effectiveType?: string } =
    Reflect.get(navigator, 'connection') ?? {};
  return connection.saveData === true || /2g$/.test(connection.effectiveType ?? '');
}

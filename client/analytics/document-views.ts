import type { HydrationData } from '#client/routing/hydration-data.ts';
import type { ArticlePage } from '#shared/models/article.ts';
import * as apiPaths from '#shared/site-api.ts';

/**
 * Reports the view of an article's document, where a CDN may have sent it and the server counts none: once for each
 * time that it is shown to a reader. A prefetched, prerendered or background document is reported when it becomes
 * visible, and one from the back-forward cache again. Later articles of the same document are counted by `page-views.ts`.
 */

const FIRST_PATH = location.pathname;

/** The article that is shown: the document's own, or the one that a navigation inside the page led to. */
async function shownPostId(): Promise<string | undefined> {
  if (location.pathname === FIRST_PATH) {
    const { loaderData }: HydrationData = JSON.parse(document.getElementById('state')?.textContent ?? '{}');
    const page: ArticlePage | undefined = loaderData?.['article'];
    return page?.article.id;
  }
  const response = await fetch(apiPaths.article.replace('/:category/:slug', location.pathname), {
    headers: { accept: 'application/json' },
  });
  if (!response.ok) return undefined;
  const page: ArticlePage = await response.json();
  return page.article.id;
}

async function report(): Promise<void> {
  const postId = await shownPostId();
  if (postId === undefined) return;
  const body = new Blob([JSON.stringify({ postId })], { type: 'application/json' });
  // Readers may have turned off `sendBeacon`.
  await fetch(apiPaths.countView, { method: 'POST', body, keepalive: true });
}

function reportWhenVisible(): void {
  const isPrerendered = 'prerendering' in document && document.prerendering;
  if (document.visibilityState === 'visible' && !isPrerendered) {
    void report().catch(() => undefined);
    return;
  }
  const event = isPrerendered ? 'prerenderingchange' : 'visibilitychange';
  document.addEventListener(event, reportWhenVisible, { once: true });
}

/** `page-views.ts` counts a document that the browser had fetched before its reader wanted it. */
function isPrefetched(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return entry !== undefined && 'deliveryType' in entry && entry.deliveryType === 'navigational-prefetch';
}

if (!isPrefetched()) reportWhenVisible();
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) reportWhenVisible();
});

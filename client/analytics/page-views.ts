import type { DataRouter } from 'react-router';
import type { ArticlePage } from '#shared/models/article.ts';

/**
 * Counts a view of each article that a client-side navigation opens. The server has counted the first one with the
 * document, unless the browser had prefetched it.
 */
export function countPageViews(router: DataRouter, countView: (postId: string) => void): void {
  /** Path of the article that is shown: a jump within it is no view. */
  let shown = wasPrefetched() ? null : router.state.location.pathname;
  const count = ({ location, navigation, loaderData }: DataRouter['state']) => {
    if (navigation.state !== 'idle') return;
    const data: ArticlePage | undefined = loaderData['article'];
    const path = data ? location.pathname : null;
    if (path === shown) return;
    shown = path;
    if (data) countView(data.article.id);
  };
  count(router.state);
  router.subscribe(count);
}

function wasPrefetched(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return entry !== undefined && 'deliveryType' in entry && entry.deliveryType === 'navigational-prefetch';
}

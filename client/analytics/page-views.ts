import type { DataRouter } from 'react-router';
import type { ArticlePage } from '#shared/models/article.ts';
import type { SiteActions } from '#shared/site-api.ts';

/**
 * Counts a view for each article that is reached by a navigation inside the page. The first article was counted by
 * the server when it answered with the document, unless the browser had fetched that before its reader wanted it.
 */
export function countPageViews(router: DataRouter, actions: Pick<SiteActions, 'countView'>): void {
  let seen = wasFetchedAhead() ? null : router.state.location.key;
  const look = ({ location, navigation, loaderData }: DataRouter['state']) => {
    if (navigation.state !== 'idle' || location.key === seen) return;
    seen = location.key;
    const data: ArticlePage | undefined = loaderData['article'];
    if (data) void actions.countView(data.article.id);
  };
  look(router.state);
  router.subscribe(look);
}

function wasFetchedAhead(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return entry !== undefined && 'deliveryType' in entry && entry.deliveryType === 'navigational-prefetch';
}

import type { DataRouter } from 'react-router';
import type { ArticlePage } from '#shared/models/article.ts';
import type { SiteActions } from '#shared/site-api.ts';

/**
 * Counts a view for each article that is reached by a navigation inside the page. The first article was
 * counted by the server when it answered with the document.
 */
export function countViews(router: DataRouter, actions: Pick<SiteActions, 'countView'>): void {
  let seen = router.state.location.key;
  router.subscribe(({ location, navigation, loaderData }) => {
    if (navigation.state !== 'idle' || location.key === seen) return;
    seen = location.key;
    const data: ArticlePage | undefined = loaderData['article'];
    if (data) void actions.countView(data.article.id);
  });
}

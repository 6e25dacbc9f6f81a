import type { CacheQuery } from '#server/cache/cache-query.ts';
import type { Menu, MenuColumn, Navigation } from '#shared/models/navigation.ts';
import type { PostSummary } from '#shared/models/post.ts';
import type { CacheQueries } from './cache-queries.ts';
import { menuItem } from './headlines.ts';

/** A column shows three items (specification, section 9); no others are sent. */
const ITEMS_PER_COLUMN = 3;

type OptionalSection = <T>(section: string, query: CacheQuery<T>, fallback: null) => Promise<T | null>;

/** See More links to the category of the column's posts, or to `fallback` where there are none. */
function column(title: string, fallback: string, posts: readonly PostSummary[]): MenuColumn {
  return {
    title,
    category: posts[0]?.category ?? fallback,
    items: posts.slice(0, ITEMS_PER_COLUMN).map(menuItem),
  };
}

/** Creates the load of the three menus. A menu that could not be loaded is marked, and keeps its See More links. */
export function createNavigation(
  upstream: CacheQueries,
  optionalSection: OptionalSection,
): () => Promise<Navigation> {
  async function menu<T>(
    name: Menu['name'],
    query: CacheQuery<T>,
    columns: (lists: T | null) => MenuColumn[],
  ): Promise<Menu> {
    const lists = await optionalSection(`menu ${name}`, query, null);
    return { name, columns: columns(lists), failed: lists === null };
  }

  return async () => ({
    menus: await Promise.all([
      menu('Latest', upstream.latestMenu(), (lists) => [
        column('News', 'news', lists?.news ?? []),
        column('Quick Bytes', 'quickbytes', lists?.quickBytes ?? []),
      ]),
      menu('Leadership', upstream.leadershipMenu(), (lists) => [
        column('Podcasts', 'podcasts', lists?.podcasts ?? []),
        column('Featured Interview', 'interview', lists?.interviews ?? []),
        column('Guest Posts', 'guest-author', lists?.guestPosts ?? []),
      ]),
      menu('Features', upstream.featuresMenu(), (lists) => [
        column('Articles', 'featured', lists?.articles ?? []),
        column('Learning Center', 'learning-center', lists?.learning ?? []),
      ]),
    ]),
  });
}

import type { CacheQuery } from '#server/cache/cache-query.ts';
import type { Menu, MenuColumn, Navigation } from '#shared/models/navigation.ts';
import type { PostSummary } from '#shared/models/post.ts';
import type { CacheQueries } from './cache-queries.ts';
import { menuItem } from './headlines.ts';

/** More than a column shows on any screen is not sent (specification, section 9: three items). */
const ITEMS_PER_COLUMN = 3;

type Read = <T>(request: CacheQuery<T>) => Promise<T>;
type Secondary = <T>(block: string, response: Promise<T>, standIn: T) => Promise<T>;

/** See More leads to the category of the column's own posts; to `fallback` when there is none. */
function column(title: string, fallback: string, posts: readonly PostSummary[]): MenuColumn {
  return {
    title,
    category: posts[0]?.category ?? fallback,
    items: posts.slice(0, ITEMS_PER_COLUMN).map(menuItem),
  };
}

/** The three menus. One that could not be loaded says so and keeps its See More links. */
export function createNavigation(
  upstream: CacheQueries,
  read: Read,
  secondary: Secondary,
): () => Promise<Navigation> {
  async function menu<T>(
    name: Menu['name'],
    response: Promise<T>,
    columns: (lists: T | null) => MenuColumn[],
  ): Promise<Menu> {
    const lists = await secondary<T | null>(`menu ${name}`, response, null);
    return { name, columns: columns(lists), failed: lists === null };
  }

  return async () => ({
    menus: await Promise.all([
      menu('Latest', read(upstream.latestMenu()), (lists) => [
        column('News', 'news', lists?.news ?? []),
        column('Quick Bytes', 'quickbytes', lists?.quickBytes ?? []),
      ]),
      menu('Leadership', read(upstream.leadershipMenu()), (lists) => [
        column('Podcasts', 'podcasts', lists?.podcasts ?? []),
        column('Featured Interview', 'interview', lists?.interviews ?? []),
        column('Guest Posts', 'guest-author', lists?.guestPosts ?? []),
      ]),
      menu('Features', read(upstream.featuresMenu()), (lists) => [
        column('Articles', 'featured', lists?.articles ?? []),
        column('Learning Center', 'learning-center', lists?.learning ?? []),
      ]),
    ]),
  });
}

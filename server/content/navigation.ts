import type { CacheQuery } from '#server/cache/cache-query.ts';
import type { Menu, MenuColumn, Navigation } from '#shared/models/navigation.ts';
import type { MenuItem, PostSummary } from '#shared/models/post.ts';
import { defaultSite, type Section } from '#shared/site.ts';
import type { CacheQueries } from './cache-queries.ts';
import { menuItem } from './sent-fields.ts';

/** Specification, section 9. */
export const TOPIC_PAGE_SIZE = 10;
/** A column shows three items (specification, section 9); no others are sent. */
const ITEMS_PER_COLUMN = 3;

/** Loads an optional section of a page. Resolves with null where it failed or was late. */
export type LoadSection = <T>(section: string, query: CacheQuery<T>) => Promise<T | null>;
type LoadList = () => Promise<readonly PostSummary[] | null>;

/** Returns the topic query of a category's newest posts: that of its page. */
export function newestOf(category: string) {
  return { category, subcategory: null, page: 1, limit: TOPIC_PAGE_SIZE };
}

/** Calls a function at most once. */
function once<T>(load: () => T): () => T {
  let loading: { value: T } | null = null;
  return () => {
    loading ??= { value: load() };
    return loading.value;
  };
}

/** The lists of the upstream's three calls for menus, by the category slug of a column. Other columns are topics. */
function menuLists(queries: CacheQueries, load: LoadSection): Partial<Record<string, LoadList>> {
  const latest = once(() => load('menu Latest', queries.latestMenu()));
  const leadership = once(() => load('menu Leadership', queries.leadershipMenu()));
  const features = once(() => load('menu Features', queries.featuresMenu()));
  return {
    news: async () => (await latest())?.news ?? null,
    quickbytes: async () => (await latest())?.quickBytes ?? null,
    podcasts: async () => (await leadership())?.podcasts ?? null,
    interview: async () => (await leadership())?.interviews ?? null,
    'guest-author': async () => (await leadership())?.guestPosts ?? null,
    featured: async () => (await features())?.articles ?? null,
    'learning-center': async () => (await features())?.learning ?? null,
  };
}

const titleOf = ({ label, titles }: Section) => titles?.menu ?? label;

/** See More links to the category of the column's posts, or to that of its section where there are none. */
function column(section: Section, posts: readonly PostSummary[]): MenuColumn {
  return {
    title: titleOf(section),
    category: posts[0]?.category ?? section.slug,
    items: posts.slice(0, ITEMS_PER_COLUMN).map(menuItem),
  };
}

/** Returns the posts of a section's column; null where its menu could not be loaded. */
export function columnOf(menus: readonly Menu[], section: Section): readonly MenuItem[] | null {
  const menu = menus.find(({ name }) => name === section.menu);
  const found = menu?.columns.find(({ title }) => title === titleOf(section));
  if (menu?.failed && !found?.items.length) return null;
  return found?.items ?? [];
}

/**
 * Creates the load of the menus: those that the table of sections names, in its order. A menu that could not be loaded is
 * marked, and keeps its See More links; a column of the site folder without posts is left out.
 */
export function createNavigation(
  queries: CacheQueries,
  load: LoadSection,
  sections: readonly Section[],
): () => Promise<Navigation> {
  async function topicPosts(slug: string): Promise<readonly PostSummary[] | null> {
    return (await load(`menu ${slug}`, queries.topic(newestOf(slug))))?.posts ?? null;
  }

  async function menu(
    name: string,
    columns: readonly Section[],
    lists: ReturnType<typeof menuLists>,
  ): Promise<Menu> {
    const loaded = await Promise.all(columns.map(({ slug }) => lists[slug]?.() ?? topicPosts(slug)));
    const failed = loaded.includes(null);
    const all = columns.map((section, index) => column(section, loaded[index] ?? []));
    const isShown = ({ items }: MenuColumn) => items.length > 0 || sections === defaultSite.sections;
    return { name, columns: all.filter(isShown), failed };
  }

  return async () => {
    const lists = menuLists(queries, load);
    const byMenu = Map.groupBy(sections, (section) => section.menu ?? '');
    byMenu.delete('');
    const menus = await Promise.all([...byMenu].map(([name, columns]) => menu(name, columns, lists)));
    return { menus: menus.filter(({ columns, failed }) => columns.length > 0 || failed) };
  };
}

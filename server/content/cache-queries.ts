import { Absent, type CacheQuery } from '#server/cache/cache-query.ts';
import type { CmsApi } from '#server/cms/cms-api.ts';
import type { PostSummary } from '#shared/models/post.ts';
import type { Resource } from '#shared/models/resources.ts';
import { categoryTag, eventTag, postTag, postTags } from './cache-tags.ts';

/** A cache query for each upstream call. */
export type CacheQueries = ReturnType<typeof createCacheQueries>;

interface QueryOptions<T> {
  resource: Resource;
  /** Parameters of the call, which identify it within the resource. */
  key: readonly (string | number)[];
  tags: (value: T) => string[];
  load: (options: { retry: boolean }) => Promise<T>;
}

function noTags(): string[] {
  return [];
}

function keyOf(resource: Resource, parts: readonly (string | number)[]): string {
  return [resource, ...parts.map((part) => encodeURIComponent(part))].join('/');
}

/** Rejects with `Absent` for null, by which a detail call says that the resource does not exist. */
async function present<T>(call: Promise<T | null>): Promise<T> {
  const value = await call;
  if (value === null) throw new Absent();
  return value;
}

/** A failed call for a primary resource is retried while a reader waits; an optional section is left out. */
const PRIMARY_RESOURCES: ReadonlySet<Resource> = new Set([
  'tag',
  'topic',
  'article',
  'search',
  'events',
  'event',
]);

function createQuery<T>({ resource, key, tags, load }: QueryOptions<T>): CacheQuery<T> {
  return {
    resource,
    key: keyOf(resource, key),
    tags,
    load: ({ cold }) => load({ retry: cold && PRIMARY_RESOURCES.has(resource) }),
  };
}

function posts(
  resource: Resource,
  key: string,
  load: (options: { retry: boolean }) => Promise<PostSummary[]>,
): CacheQuery<PostSummary[]> {
  return createQuery({ resource, key: [key], load, tags: (list) => postTags(list) });
}

/** Creates the cache queries: for each upstream call its resource, key, load and tags. */
export function createCacheQueries(cms: CmsApi) {
  return {
    latestMenu: () =>
      createQuery({
        resource: 'navigation',
        key: ['latest'],
        load: (options) => cms.latestPost(options),
        tags: ({ news, quickBytes }) => postTags(news, quickBytes),
      }),
    leadershipMenu: () =>
      createQuery({
        resource: 'navigation',
        key: ['leadership'],
        load: (options) => cms.leadership(options),
        tags: ({ podcasts, interviews, guestPosts }) => postTags(podcasts, interviews, guestPosts),
      }),
    featuresMenu: () =>
      createQuery({
        resource: 'navigation',
        key: ['features'],
        load: (options) => cms.featured(options),
        tags: ({ articles, learning }) => postTags(articles, learning),
      }),
    homeLatest: () => posts('home', 'latest', (options) => cms.homeLatest(options)),
    homeLatestNews: () => posts('home', 'latest-news', (options) => cms.homeLatestNews(options)),
    homePopular: () => posts('home', 'popular', (options) => cms.homePopular(options)),
    homeInterview: () => posts('home', 'interview', (options) => cms.homeInterview(options)),
    homeQuickByte: () => posts('home', 'quick-byte', (options) => cms.homeQuickByte(options)),
    homeArticle: () => posts('home', 'article', (options) => cms.homeArticle(options)),
    homePodcast: () => posts('home', 'podcast', (options) => cms.homePodcast(options)),
    tag: (subcategory: string) =>
      createQuery({
        resource: 'tag',
        key: [subcategory],
        load: (options) => cms.tag(subcategory, options),
        tags: (lists) => postTags(...Object.values(lists)),
      }),
    topic: (topic: { category: string; subcategory: string | null; page: number; limit: number }) =>
      createQuery({
        resource: 'topic',
        key: [topic.category, topic.subcategory ?? '', topic.page],
        load: (options) => cms.topic(topic, options),
        tags: (list) => [categoryTag(topic.category), ...postTags(list.posts)],
      }),
    article: (address: { category: string; slug: string }) =>
      createQuery({
        resource: 'article',
        key: [address.category, address.slug],
        load: (options) => present(cms.postDetails(address, options)),
        tags: ({ article }) => [postTag(article.id), categoryTag(article.category)],
      }),
    author: (id: string) =>
      createQuery({
        resource: 'author',
        key: [id],
        tags: noTags,
        load: (options) => cms.author(id, options),
      }),
    aside: (category: string) =>
      createQuery({
        resource: 'aside',
        key: [category],
        load: (options) => cms.asideTopic(category, options),
        tags: (list) => [categoryTag(category), ...postTags(list)],
      }),
    latest: () => posts('latest', 'all', (options) => cms.latest(options)),
    search: (query: { category: string; term: string; page: number }) =>
      createQuery({
        resource: 'search',
        key: [query.category, query.term, query.page],
        load: (options) => cms.search(query, options),
        tags: (list) => postTags(list.posts),
      }),
    events: (list: { tab: 'all' | 'upcoming' | 'past'; page: number }) =>
      createQuery({
        resource: 'events',
        key: [list.tab, list.page],
        load: (options) => cms.events(list, options),
        tags: ({ events }) => events.map((event) => eventTag(event.slug)),
      }),
    event: (slug: string) =>
      createQuery({
        resource: 'event',
        key: [slug],
        load: (options) => present(cms.event(slug, options)),
        tags: () => [eventTag(slug)],
      }),
    advertisements: () =>
      createQuery({
        resource: 'ads',
        key: ['active'],
        tags: noTags,
        load: (options) => cms.advertisements(options),
      }),
    categories: () =>
      createQuery({
        resource: 'categories',
        key: ['all'],
        tags: noTags,
        load: (options) => cms.categories(options),
      }),
    subcategories: () =>
      createQuery({
        resource: 'subcategories',
        key: ['all'],
        tags: noTags,
        load: (options) => cms.subcategories(options),
      }),
  };
}

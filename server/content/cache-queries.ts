import { Absent, type CacheQuery } from '#server/cache/cache-query.ts';
import type { Resource } from '#server/cache/resources.ts';
import type { CmsApi } from '#server/cms/cms-api.ts';
import type { PostSummary } from '#shared/models/post.ts';

/** Every upstream answer as the cache keeps it. */
export type CacheQueries = ReturnType<typeof createCacheQueries>;

interface Response<T> {
  resource: Resource;
  /** What tells this answer from others of its resource. */
  key: readonly (string | number)[];
  tags: (value: T) => string[];
  load: (options: { retry: boolean }) => Promise<T>;
}

/** Tags of every post in the given lists and of their categories. */
function postTags(...lists: (readonly PostSummary[])[]): string[] {
  const posts = lists.flat();
  return [...new Set(posts.flatMap((post) => [`post:${post.id}`, `category:${post.category}`]))];
}

function noTags(): string[] {
  return [];
}

function keyOf(resource: Resource, parts: readonly (string | number)[]): string {
  return [resource, ...parts.map((part) => encodeURIComponent(part))].join('/');
}

/** A detail's null is the upstream's word that it does not exist. */
async function present<T>(response: Promise<T | null>): Promise<T> {
  const value = await response;
  if (value === null) throw new Absent();
  return value;
}

/** What decides a page is tried again when it fails; a block beside it is left out. */
const PRIMARY_RESOURCES: ReadonlySet<Resource> = new Set([
  'tag',
  'topic',
  'article',
  'search',
  'events',
  'event',
]);

/** A request to the cache: it is kept beside the answer, so that a refresh needs no reader. */
function response<T>({ resource, key, tags, load }: Response<T>): CacheQuery<T> {
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
  return response({ resource, key: [key], load, tags: (list) => postTags(list) });
}

/** The upstream's answers: each with its resource, its key, how it is asked for, and the tags it can be purged by. */
export function createCacheQueries(cms: CmsApi) {
  return {
    latestMenu: () =>
      response({
        resource: 'navigation',
        key: ['latest'],
        load: (options) => cms.latestPost(options),
        tags: ({ news, quickBytes }) => postTags(news, quickBytes),
      }),
    leadershipMenu: () =>
      response({
        resource: 'navigation',
        key: ['leadership'],
        load: (options) => cms.leadership(options),
        tags: ({ podcasts, interviews, guestPosts }) => postTags(podcasts, interviews, guestPosts),
      }),
    featuresMenu: () =>
      response({
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
      response({
        resource: 'tag',
        key: [subcategory],
        load: (options) => cms.tag(subcategory, options),
        tags: (lists) => postTags(...Object.values(lists)),
      }),
    topic: (topic: { category: string; subcategory: string | null; page: number; limit: number }) =>
      response({
        resource: 'topic',
        key: [topic.category, topic.subcategory ?? '', topic.page],
        load: (options) => cms.topic(topic, options),
        tags: (list) => [`category:${topic.category}`, ...postTags(list.posts)],
      }),
    article: (address: { category: string; slug: string }) =>
      response({
        resource: 'article',
        key: [address.category, address.slug],
        load: (options) => present(cms.postDetails(address, options)),
        tags: ({ article }) => [`post:${article.id}`, `category:${article.category}`],
      }),
    author: (id: string) =>
      response({ resource: 'author', key: [id], tags: noTags, load: (options) => cms.author(id, options) }),
    aside: (category: string) =>
      response({
        resource: 'aside',
        key: [category],
        load: (options) => cms.asideTopic(category, options),
        tags: (list) => [`category:${category}`, ...postTags(list)],
      }),
    latest: () => posts('latest', 'all', (options) => cms.latest(options)),
    search: (query: { category: string; term: string; page: number }) =>
      response({
        resource: 'search',
        key: [query.category, query.term, query.page],
        load: (options) => cms.search(query, options),
        tags: (list) => postTags(list.posts),
      }),
    events: (list: { tab: 'all' | 'upcoming' | 'past'; page: number }) =>
      response({
        resource: 'events',
        key: [list.tab, list.page],
        load: (options) => cms.events(list, options),
        tags: ({ events }) => events.map((event) => `event:${event.slug}`),
      }),
    event: (slug: string) =>
      response({
        resource: 'event',
        key: [slug],
        load: (options) => present(cms.event(slug, options)),
        tags: () => [`event:${slug}`],
      }),
    advertisements: () =>
      response({
        resource: 'ads',
        key: ['active'],
        tags: noTags,
        load: (options) => cms.advertisements(options),
      }),
    categories: () =>
      response({
        resource: 'categories',
        key: ['all'],
        tags: noTags,
        load: (options) => cms.categories(options),
      }),
    subcategories: () =>
      response({
        resource: 'subcategories',
        key: ['all'],
        tags: noTags,
        load: (options) => cms.subcategories(options),
      }),
  };
}

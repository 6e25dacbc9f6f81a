import { Absent, type ContentCache } from '#server/cache/content-cache.ts';
import type { Reading } from '#server/cache/reading.ts';
import type { Resource } from '#server/cache/resources.ts';
import type { CmsContent } from '#server/cms/cms-content.ts';
import type { PostSummary } from '#shared/models/post.ts';

/** Every upstream answer as the cache keeps it: its resource, its key, and the tags it can be purged by. */
export type CachedContent = ReturnType<typeof createCachedContent>;

interface Answer<T> {
  resource: Resource;
  /** What tells this answer from others of its resource. */
  key: readonly (string | number)[];
  tags: (value: T) => string[];
  load: (options: { retryOnce: boolean }) => Promise<T>;
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
async function present<T>(answer: Promise<T | null>): Promise<T> {
  const value = await answer;
  if (value === null) throw new Absent();
  return value;
}

/** The upstream's answers, read through `cache` and recorded in `reading`. Rejects with `Absent` or an `UpstreamError`. */
export function createCachedContent(cms: CmsContent, cache: ContentCache, reading: Reading) {
  function read<T>({ resource, key, tags, load }: Answer<T>): Promise<T> {
    return cache.read(
      { resource, key: keyOf(resource, key), tags, load: ({ cold }) => load({ retryOnce: cold }) },
      reading,
    );
  }

  function posts(
    resource: Resource,
    key: string,
    load: (options: { retryOnce: boolean }) => Promise<PostSummary[]>,
  ) {
    return read({ resource, key: [key], load, tags: (list) => postTags(list) });
  }

  return {
    latestMenu: () =>
      read({
        resource: 'navigation',
        key: ['latest'],
        load: (options) => cms.latestPost(options),
        tags: ({ news, quickBytes }) => postTags(news, quickBytes),
      }),
    leadershipMenu: () =>
      read({
        resource: 'navigation',
        key: ['leadership'],
        load: (options) => cms.leadership(options),
        tags: ({ podcasts, interviews, guestPosts }) => postTags(podcasts, interviews, guestPosts),
      }),
    featuresMenu: () =>
      read({
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
      read({
        resource: 'tag',
        key: [subcategory],
        load: (options) => cms.tag(subcategory, options),
        tags: (lists) => postTags(...Object.values(lists)),
      }),
    topic: (topic: { category: string; subcategory: string | null; page: number; limit: number }) =>
      read({
        resource: 'topic',
        key: [topic.category, topic.subcategory ?? '', topic.page],
        load: (options) => cms.topic(topic, options),
        tags: (list) => [`category:${topic.category}`, ...postTags(list.posts)],
      }),
    article: (address: { category: string; slug: string }) =>
      read({
        resource: 'article',
        key: [address.category, address.slug],
        load: (options) => present(cms.postDetails(address, options)),
        tags: ({ article }) => [`post:${article.id}`, `category:${article.category}`],
      }),
    author: (id: string) =>
      read({ resource: 'author', key: [id], tags: noTags, load: (options) => cms.author(id, options) }),
    aside: (category: string) =>
      read({
        resource: 'aside',
        key: [category],
        load: (options) => cms.asideTopic(category, options),
        tags: (list) => [`category:${category}`, ...postTags(list)],
      }),
    latest: () => posts('latest', 'all', (options) => cms.latest(options)),
    search: (query: { category: string; term: string; page: number }) =>
      read({
        resource: 'search',
        key: [query.category, query.term, query.page],
        load: (options) => cms.search(query, options),
        tags: (list) => postTags(list.posts),
      }),
    events: (list: { tab: 'all' | 'upcoming' | 'past'; page: number }) =>
      read({
        resource: 'events',
        key: [list.tab, list.page],
        load: (options) => cms.events(list, options),
        tags: ({ events }) => events.map((event) => `event:${event.slug}`),
      }),
    event: (slug: string) =>
      read({
        resource: 'event',
        key: [slug],
        load: (options) => present(cms.event(slug, options)),
        tags: () => [`event:${slug}`],
      }),
    advertisements: () =>
      read({
        resource: 'ads',
        key: ['active'],
        tags: noTags,
        load: (options) => cms.advertisements(options),
      }),
    categories: () =>
      read({
        resource: 'categories',
        key: ['all'],
        tags: noTags,
        load: (options) => cms.categories(options),
      }),
    subcategories: () =>
      read({
        resource: 'subcategories',
        key: ['all'],
        tags: noTags,
        load: (options) => cms.subcategories(options),
      }),
  };
}

import { Absent, type CacheQuery } from '#server/cache/cache-query.ts';
import { compareWith, Unchanged } from '#server/cms/client/response-body.ts';
import type { CmsApi, ReadOptions } from '#server/cms/cms-api.ts';
import type { EventTab } from '#shared/models/event-tabs.ts';
import type { PostSummary } from '#shared/models/post.ts';
import { RESOURCE_TABLE, type Resource } from '#shared/models/resources-and-policies.ts';

// Tags of cache entries, by which operators and changes purge; besides, an entry has its resource's name.

/** Before a post's id, a category's slug, an event's slug. */
export const POST_TAG = 'post:';
export const CATEGORY_TAG = 'category:';
export const EVENT_TAG = 'event:';

/** Returns the tags of all posts of some lists and of their categories. */
export function postTags(...lists: (readonly PostSummary[])[]): string[] {
  const posts = lists.flat();
  return [...new Set(posts.flatMap((post) => [POST_TAG + post.id, CATEGORY_TAG + post.category]))];
}

/** A cache query for each upstream call. */
export type CacheQueries = ReturnType<typeof createCacheQueries>;

/** Whether there is no value, a list is empty, or all of several lists are. Any other value is not. */
function hasNoItems(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  const lists = Object.values(Object(value)).filter(Array.isArray);
  return lists.length > 0 && lists.every((list) => list.length === 0);
}

/** Digests of the responses that values were made of: the same response again need not be parsed. */
const bodyDigests = new WeakMap<object, string>();

/** Loads a value; returns the cached one itself where the upstream's response is the one that it was made of. */
async function loadChanged<T>(
  load: (options: ReadOptions) => Promise<T>,
  retry: boolean,
  cached: T | undefined,
): Promise<T> {
  const comparison = compareWith(isObject(cached) ? bodyDigests.get(cached) : undefined);
  try {
    const value = await load({ retry, comparison });
    const digest = comparison.digest();
    if (isObject(value) && digest !== undefined) bodyDigests.set(value, digest);
    return value;
  } catch (error) {
    if (error instanceof Unchanged && cached !== undefined) return cached;
    throw error;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** `parameters`: of the call, which identify it within the resource. `tagsOf`: default: none but the resource's name. */
function createQuery<T>(
  resource: Resource,
  parameters: readonly (string | number)[],
  load: (options: ReadOptions) => Promise<T>,
  tagsOf: (value: T) => string[] = () => [],
): CacheQuery<T> {
  const { role, isOftenEmpty = false } = RESOURCE_TABLE[resource];
  return {
    resource,
    key: [resource, ...parameters.map((part) => encodeURIComponent(part))].join('/'),
    tags: tagsOf,
    isEmpty: (value) => !isOftenEmpty && hasNoItems(value),
    load: ({ cold, cached }) => loadChanged(load, cold && role === 'primary', cached),
  };
}

/** Rejects with `Absent` for null, by which a detail call says that the resource does not exist. */
async function present<T>(call: Promise<T | null>): Promise<T> {
  const value = await call;
  if (value === null) throw new Absent();
  return value;
}

function tagsOfLists(lists: Readonly<Record<string, readonly PostSummary[]>>): string[] {
  return postTags(...Object.values(lists));
}

/** Creates the cache queries: for each upstream call its resource, key, load and tags. */
export function createCacheQueries(cms: CmsApi) {
  return {
    latestMenu: () => createQuery('navigation', ['latest'], cms.latestPost, tagsOfLists),
    leadershipMenu: () => createQuery('navigation', ['leadership'], cms.leadership, tagsOfLists),
    featuresMenu: () => createQuery('navigation', ['features'], cms.featured, tagsOfLists),
    homeLatest: () => createQuery('home', ['latest'], cms.homeLatest, postTags),
    homeLatestNews: () => createQuery('home', ['latest-news'], cms.homeLatestNews, postTags),
    homePopular: () => createQuery('home', ['popular'], cms.homePopular, postTags),
    homeInterview: () => createQuery('home', ['interview'], cms.homeInterview, postTags),
    homeQuickByte: () => createQuery('home', ['quick-byte'], cms.homeQuickByte, postTags),
    homeArticle: () => createQuery('home', ['article'], cms.homeArticle, postTags),
    homePodcast: () => createQuery('home', ['podcast'], cms.homePodcast, postTags),
    tag: (subcategory: string) =>
      createQuery('tag', [subcategory], (options) => cms.tag(subcategory, options), tagsOfLists),
    topic: (topic: { category: string; subcategory: string | null; page: number; limit: number }) =>
      createQuery(
        'topic',
        [topic.category, topic.subcategory ?? '', topic.page, topic.limit],
        (options) => cms.topic(topic, options),
        ({ posts }) => [CATEGORY_TAG + topic.category, ...postTags(posts)],
      ),
    article: (address: { category: string; slug: string }) =>
      createQuery(
        'article',
        [address.category, address.slug],
        (options) => present(cms.postDetails(address, options)),
        ({ article }) => [POST_TAG + article.id, CATEGORY_TAG + article.category],
      ),
    author: (id: string) => createQuery('author', [id], (options) => cms.author(id, options)),
    authorPosts: (author: { id: string; page: number }) =>
      createQuery(
        'authorposts',
        [author.id, author.page],
        (options) => present(cms.authorPosts(author, options)),
        ({ posts }) => postTags(posts),
      ),
    /** Whether an author has a page. Asked only about authors of posts, so that no reader fills the cache with it. */
    hasAuthorPage: (id: string) =>
      createQuery(
        'authorposts',
        [id],
        async (options) => (await cms.authorPosts({ id, page: 1 }, options)) !== null,
      ),
    aside: (category: string) =>
      createQuery(
        'aside',
        [category],
        (options) => cms.asideTopic(category, options),
        (list) => [CATEGORY_TAG + category, ...postTags(list)],
      ),
    latest: () => createQuery('latest', ['all'], cms.latest, postTags),
    search: (query: { category: string; term: string; page: number }) =>
      createQuery(
        'search',
        [query.category, query.term, query.page],
        (options) => cms.search(query, options),
        ({ posts }) => postTags(posts),
      ),
    events: (list: { tab: EventTab; page: number }) =>
      createQuery(
        'events',
        [list.tab, list.page],
        (options) => cms.events(list, options),
        ({ events }) => events.map((event) => EVENT_TAG + event.slug),
      ),
    event: (slug: string) =>
      createQuery(
        'event',
        [slug],
        (options) => present(cms.event(slug, options)),
        () => [EVENT_TAG + slug],
      ),
    advertisements: () => createQuery('ads', ['active'], cms.advertisements),
    categories: () => createQuery('categories', ['all'], cms.categories),
    subcategories: () => createQuery('subcategories', ['all'], cms.subcategories),
  };
}

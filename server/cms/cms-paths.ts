import type { EventTab } from '#shared/models/event-tabs.ts';

/** A path below the API host, its segments already encoded. */
export type CmsPath = `/${string}`;

/** A call of specification section 7: its path, and its stable name in logs and metrics. */
export interface CmsCall {
  call: string;
  path: CmsPath;
}

/** Encodes one segment. Escapes `.` and `..` as well, which URL parsers would resolve. */
function segment(value: string): string {
  const encoded = encodeURIComponent(value.toWellFormed());
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%252E') : encoded;
}

function call(name: string, path: CmsPath): CmsCall {
  return { call: name, path };
}

const EVENT_LISTS: Record<EventTab, string> = {
  all: 'totalevents',
  upcoming: 'upcoming_events',
  past: 'past_events',
};

/** Calls that name one thing by its slug or id, which the upstream may say does not exist: that is no news to an operator. */
export const CALLS_OF_ONE_THING: ReadonlySet<string> = new Set([
  'post.tag',
  'post.topic',
  'post.asidetopic',
  'post.postdetails',
  'post.author',
  'author',
  'event.eventdetails',
]);

/** Every call of specification section 7, and the optional one of an author's posts. */
export const cmsCalls = {
  latestPost: call('post.latestPost', '/api/post/latestPost'),
  leadership: call('post.leadership', '/api/post/leadership'),
  featured: call('post.featured', '/api/post/featured'),
  homeLatest: call('post.homelatest', '/api/post/homelatest'),
  homeLatestNews: call('post.homelatestnews', '/api/post/homelatestnews'),
  homePopular: call('post.homepopular', '/api/post/homepopular'),
  homeInterview: call('post.homeinterview', '/api/post/homeinterview'),
  homeQuickByte: call('post.homequickbyte', '/api/post/homequickbyte'),
  homeArticle: call('post.homearticle', '/api/post/homearticle'),
  homePodcast: call('post.homepodcast', '/api/post/homepodcast'),
  latest: call('post.latest', '/api/post/latest'),
  categories: call('category.all', '/api/category/all'),
  subcategories: call('category.subcatlist', '/api/category/subcatlist'),
  advertisements: call('advertisement.get_active', '/api/advertisement/get_active'),
  subscribe: call('subscribe.add', '/api/subscribe/add'),
  contact: call('contact.add', '/api/contact/add'),

  tag: (subcategory: string) => call('post.tag', `/api/post/tag/${segment(subcategory)}`),
  topic: (topic: { category: string; subcategory: string | null; page: number; limit: number }) => {
    const subcategory = topic.subcategory === null ? '' : `/${segment(topic.subcategory)}`;
    const query = `page=${topic.page}&limit=${topic.limit}`;
    return call('post.topic', `/api/post/topic/${segment(topic.category)}${subcategory}?${query}`);
  },
  asideTopic: (category: string) => call('post.asidetopic', `/api/post/asidetopic/${segment(category)}`),
  postDetails: (post: { category: string; slug: string }) =>
    call('post.postdetails', `/api/post/postdetails/${segment(post.category)}/${segment(post.slug)}`),
  postCount: (postId: string) => call('post.post_count', `/api/post/post_count/${segment(postId)}`),
  search: (query: { category: string; term: string; page: number }) =>
    call(
      'post.search',
      `/api/post/search/${segment(query.category)}/${segment(query.term)}?page=${query.page}`,
    ),
  authorPosts: (author: { id: string; page: number }) =>
    call('post.author', `/api/post/author/${segment(author.id)}?page=${author.page}`),
  author: (id: string) => call('author', `/api/author/${segment(id)}`),
  events: (list: { tab: EventTab; page: number }) => {
    const name = EVENT_LISTS[list.tab];
    return call(`event.${name}`, `/api/event/${name}?page=${list.page}`);
  },
  event: (slug: string) => call('event.eventdetails', `/api/event/eventdetails/${segment(slug)}`),
  /** The specification does not show this path: it is configured (`OPT_OUT_PATH`). */
  optOut: (path: string) => call('optout.add', path.startsWith('/') ? `/${path.slice(1)}` : `/${path}`),
} as const;

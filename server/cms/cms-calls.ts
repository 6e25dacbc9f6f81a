import { type ZodType, z } from 'zod';
import type { EventTab } from '#shared/models/event-tabs.ts';
import { cmsCount } from './lenient-parsing.ts';

/** A path below the API host, its segments already encoded. */
export type CmsPath = `/${string}`;

/** A call of specification section 7: its path, and its stable name in logs and metrics. */
export interface CmsCall {
  call: string;
  path: CmsPath;
}

/** A call that reads, with the shape of its response. Items of lists are checked one by one. */
export interface CmsRead<Shape> extends CmsCall {
  response: ZodType<Shape>;
}

/** Encodes one segment. Escapes `.` and `..` as well, which URL parsers would resolve. */
function segment(value: string): string {
  const encoded = encodeURIComponent(value.toWellFormed());
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%252E') : encoded;
}

function call(name: string, path: CmsPath): CmsCall {
  return { call: name, path };
}

function read<Shape>(name: string, path: CmsPath, response: ZodType<Shape>): CmsRead<Shape> {
  return { call: name, path, response };
}

/** Returns a record with what `map` makes of each value. */
export function mapRecord<Name extends string, Given, Made>(
  record: Readonly<Record<Name, Given>>,
  map: (value: Given) => Made,
): Record<Name, Made> {
  const entries = Object.entries<Given>(record).map(([name, value]) => [name, map(value)]);
  // `Object.fromEntries` is typed with `string` keys.
  return Object.fromEntries(entries) as Record<Name, Made>;
}

/** The shapes around the upstream's lists (specification, sections 5 and 7). Their items are checked one by one. */

const list = z.array(z.unknown());

/**
 * Several named lists, by our names. One that is missing or broken is empty, so that the others still count. `isAnyRequired`:
 * where none of them is a list the response has another shape, and must replace no cached entry.
 */
function lists<Name extends string>(names: Readonly<Record<Name, string>>, { isAnyRequired = true } = {}) {
  const theirs = Object.values<string>(names);
  return z
    .record(z.string(), z.unknown())
    .refine((given) => !isAnyRequired || theirs.some((name) => Array.isArray(given[name])), 'a list expected')
    .transform((given) => mapRecord(names, (name) => list.catch([]).parse(given[name])));
}

const pagination = z.object({ totalItems: cmsCount, totalPages: cmsCount });

const resultResponse = z.object({ result: list }).transform(({ result }) => result);
const latestPostResponse = lists({ news: 'newsData', quickBytes: 'quickByteData' });
const leadershipResponse = lists({
  podcasts: 'podcastData',
  interviews: 'inteviewData',
  guestPosts: 'guestPostData',
});
const featuredResponse = lists({ articles: 'articleData', learning: 'learningData' });
const TAG_LISTS = {
  news: 'news',
  featured: 'featured',
  quickBytes: 'quickbytes',
  podcasts: 'podcasts',
  interviews: 'interview',
  futureReady: 'futureready',
  guestAuthors: 'guestauthor',
  learningCenter: 'learningcenter',
};
/** A tag without posts has no list at all. */
const tagResponse = z
  .object({ posts: lists(TAG_LISTS, { isAnyRequired: false }) })
  .transform(({ posts }) => posts);
const topicResponse = z.object({ posts: z.object({ postData: list, pagination }) });
const searchResponse = z.object({
  success: z.literal(true),
  result: z.object({
    postData: list,
    pagination: pagination.nullable().catch(null),
  }),
});
const eventsResponse = z.object({
  responseData: z.object({
    eventData: list,
    pagination: z.object({ totalPages: cmsCount }).catch({ totalPages: 1 }),
  }),
});
const eventResponse = z.object({ eventData: list }).transform(({ eventData }) => eventData);

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
  latestPost: read('post.latestPost', '/api/post/latestPost', latestPostResponse),
  leadership: read('post.leadership', '/api/post/leadership', leadershipResponse),
  featured: read('post.featured', '/api/post/featured', featuredResponse),
  homeLatest: read('post.homelatest', '/api/post/homelatest', list),
  homeLatestNews: read('post.homelatestnews', '/api/post/homelatestnews', list),
  homePopular: read('post.homepopular', '/api/post/homepopular', list),
  homeInterview: read('post.homeinterview', '/api/post/homeinterview', list),
  homeQuickByte: read('post.homequickbyte', '/api/post/homequickbyte', list),
  homeArticle: read('post.homearticle', '/api/post/homearticle', list),
  homePodcast: read('post.homepodcast', '/api/post/homepodcast', list),
  latest: read('post.latest', '/api/post/latest', list),
  categories: read('category.all', '/api/category/all', list),
  subcategories: read('category.subcatlist', '/api/category/subcatlist', list),
  advertisements: read('advertisement.get_active', '/api/advertisement/get_active', list),
  subscribe: call('subscribe.add', '/api/subscribe/add'),
  contact: call('contact.add', '/api/contact/add'),

  tag: (subcategory: string) => read('post.tag', `/api/post/tag/${segment(subcategory)}`, tagResponse),
  topic: (topic: { category: string; subcategory: string | null; page: number; limit: number }) => {
    const subcategory = topic.subcategory === null ? '' : `/${segment(topic.subcategory)}`;
    const query = `page=${topic.page}&limit=${topic.limit}`;
    return read(
      'post.topic',
      `/api/post/topic/${segment(topic.category)}${subcategory}?${query}`,
      topicResponse,
    );
  },
  asideTopic: (category: string) =>
    read('post.asidetopic', `/api/post/asidetopic/${segment(category)}`, resultResponse),
  postDetails: (post: { category: string; slug: string }) =>
    read(
      'post.postdetails',
      `/api/post/postdetails/${segment(post.category)}/${segment(post.slug)}`,
      resultResponse,
    ),
  postCount: (postId: string) => call('post.post_count', `/api/post/post_count/${segment(postId)}`),
  search: (query: { category: string; term: string; page: number }) =>
    read(
      'post.search',
      `/api/post/search/${segment(query.category)}/${segment(query.term)}?page=${query.page}`,
      searchResponse,
    ),
  authorPosts: (author: { id: string; page: number }) =>
    read('post.author', `/api/post/author/${segment(author.id)}?page=${author.page}`, topicResponse),
  author: (id: string) => read('author', `/api/author/${segment(id)}`, resultResponse),
  events: (events: { tab: EventTab; page: number }) => {
    const name = EVENT_LISTS[events.tab];
    return read(`event.${name}`, `/api/event/${name}?page=${events.page}`, eventsResponse);
  },
  event: (slug: string) =>
    read('event.eventdetails', `/api/event/eventdetails/${segment(slug)}`, eventResponse),
  /** The specification does not show this path: it is configured (`OPT_OUT_PATH`). */
  optOut: (path: string) => call('optout.add', path.startsWith('/') ? `/${path.slice(1)}` : `/${path}`),
} as const;

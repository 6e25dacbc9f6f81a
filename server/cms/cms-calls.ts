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

/** Returns the call of a name, which is its path too: `post.tag` is at `/api/post/tag`, segments and query behind it. */
function call(name: string, segments: readonly string[] = [], query = ''): CmsCall {
  return { call: name, path: `/api/${[...name.split('.'), ...segments.map(segment)].join('/')}${query}` };
}

function read<Shape>(
  name: string,
  response: ZodType<Shape>,
  segments?: readonly string[],
  query?: string,
): CmsRead<Shape> {
  return { ...call(name, segments, query), response };
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

// The shapes around the upstream's lists (specification, sections 5 and 7). Their items are checked one by one.

/** PHP writes a list with gaps in its indices as an object with numbers for names. */
const list = z.preprocess((given) => {
  const gapped = z.record(z.string().regex(/^\d{1,6}$/), z.unknown()).safeParse(given).data ?? {};
  return Object.keys(gapped).length > 0 ? Object.values(gapped) : given;
}, z.array(z.unknown()));

/**
 * Several named lists, by our names. One that is missing or broken is empty, so that the others still count. `isAnyRequired`:
 * where none of them is a list the response has another shape, and must replace no cached entry.
 */
function lists<Name extends string>(names: Readonly<Record<Name, string>>, { isAnyRequired = true } = {}) {
  const theirs = Object.values<string>(names);
  return z
    .record(z.string(), z.unknown())
    .or(z.tuple([]).transform((): Record<string, unknown> => ({})))
    .refine(
      (given) => !isAnyRequired || theirs.some((name) => list.safeParse(given[name]).success),
      'a list expected',
    )
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
  latestPost: read('post.latestPost', latestPostResponse),
  leadership: read('post.leadership', leadershipResponse),
  featured: read('post.featured', featuredResponse),
  homeLatest: read('post.homelatest', list),
  homeLatestNews: read('post.homelatestnews', list),
  homePopular: read('post.homepopular', list),
  homeInterview: read('post.homeinterview', list),
  homeQuickByte: read('post.homequickbyte', list),
  homeArticle: read('post.homearticle', list),
  homePodcast: read('post.homepodcast', list),
  latest: read('post.latest', list),
  categories: read('category.all', list),
  subcategories: read('category.subcatlist', list),
  advertisements: read('advertisement.get_active', list),
  subscribe: call('subscribe.add'),
  contact: call('contact.add'),

  tag: (subcategory: string) => read('post.tag', tagResponse, [subcategory]),
  topic: (topic: { category: string; subcategory: string | null; page: number; limit: number }) => {
    const { category, subcategory, page, limit } = topic;
    const segments = subcategory === null ? [category] : [category, subcategory];
    return read('post.topic', topicResponse, segments, `?page=${page}&limit=${limit}`);
  },
  asideTopic: (category: string) => read('post.asidetopic', resultResponse, [category]),
  postDetails: ({ category, slug }: { category: string; slug: string }) =>
    read('post.postdetails', resultResponse, [category, slug]),
  postCount: (postId: string) => call('post.post_count', [postId]),
  search: ({ category, term, page }: { category: string; term: string; page: number }) =>
    read('post.search', searchResponse, [category, term], `?page=${page}`),
  authorPosts: ({ id, page }: { id: string; page: number }) =>
    read('post.author', topicResponse, [id], `?page=${page}`),
  author: (id: string) => read('author', resultResponse, [id]),
  events: ({ tab, page }: { tab: EventTab; page: number }) =>
    read(`event.${EVENT_LISTS[tab]}`, eventsResponse, [], `?page=${page}`),
  event: (slug: string) => read('event.eventdetails', eventResponse, [slug]),
  /** The specification does not show this path: it is configured (`OPT_OUT_PATH`), and begins with a slash. */
  optOut: (path: string): CmsCall => ({ call: 'optout.add', path: `/${path.slice(1)}` }),
} as const;

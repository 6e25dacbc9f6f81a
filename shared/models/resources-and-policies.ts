import type { z } from 'zod';
import type { Policy as PolicySchema } from './policy-schemas.ts';

/**
 * Seconds for which a value is fresh (`ttl`), then served stale while it is refreshed (`swr`: stale-while-revalidate), then
 * served stale if loading fails (`sie`: stale-if-error). RFC 5861.
 */
export type Policy = z.infer<typeof PolicySchema>;

/** A year: the longest age that a policy may have. */
export const MAX_AGE_SECONDS = 31_536_000;

/** One kind of cached data. */
interface ResourceRecord {
  /** For documents. */
  description: string;
  /** The upstream's calls that load it, by their names in logs and metrics. */
  calls: readonly string[];
  /** Policy unless it is configured. */
  policy: Policy;
  /**
   * `primary`: pages are about it. Its load is tried again while a reader waits, a page without it is no page, and a purge of
   * a page takes it along. `section`: a part that a page can do without; a purge of a page that is about nothing else takes
   * it along. `shared`: a part of all pages, which a purge of one leaves alone.
   */
  role: 'primary' | 'section' | 'shared';
  /** Whether its lists are often empty for good reasons. */
  isOftenEmpty?: true;
  /** Whether its keys have what readers typed: it is kept in memory alone. */
  isTyped?: true;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Kinds of cached data, by the names that configuration, purge tags and metrics use. Lists that editors watch are fresh for
 * half a minute, what changes rarely for longer. `sie` bridges an outage of a day.
 */
const TABLE = {
  navigation: {
    description: 'the menus',
    calls: ['post.latestPost', 'post.leadership', 'post.featured'],
    policy: { ttl: MINUTE, swr: 10 * MINUTE, sie: DAY },
    role: 'shared',
  },
  home: {
    description: 'the lists of the home page and the sidebars',
    calls: [
      'post.homelatest',
      'post.homelatestnews',
      'post.homepopular',
      'post.homeinterview',
      'post.homequickbyte',
      'post.homearticle',
      'post.homepodcast',
    ],
    policy: { ttl: 30, swr: 10 * MINUTE, sie: DAY },
    role: 'section',
  },
  tag: {
    description: 'a tag page',
    calls: ['post.tag'],
    policy: { ttl: MINUTE, swr: 10 * MINUTE, sie: DAY },
    role: 'primary',
  },
  topic: {
    description: 'a page of a topic',
    calls: ['post.topic'],
    policy: { ttl: 30, swr: 10 * MINUTE, sie: DAY },
    role: 'primary',
  },
  article: {
    description: 'an article',
    calls: ['post.postdetails'],
    // A correction must be visible within a minute or two.
    policy: { ttl: MINUTE, swr: 10 * MINUTE, sie: DAY },
    role: 'primary',
  },
  author: {
    description: 'an author',
    calls: ['author'],
    policy: { ttl: 10 * MINUTE, swr: HOUR, sie: 7 * DAY },
    role: 'section',
  },
  authorposts: {
    description: 'a page of an author’s posts, and whether there is one',
    calls: ['post.author'],
    policy: { ttl: 2 * MINUTE, swr: 10 * MINUTE, sie: DAY },
    role: 'primary',
  },
  aside: {
    description: 'related content',
    calls: ['post.asidetopic'],
    policy: { ttl: 2 * MINUTE, swr: 10 * MINUTE, sie: DAY },
    role: 'section',
  },
  latest: {
    description: '“More from” below an article',
    calls: ['post.latest'],
    policy: { ttl: 30, swr: 10 * MINUTE, sie: DAY },
    role: 'section',
  },
  search: {
    description: 'a page of search results',
    calls: ['post.search'],
    // Search terms are many and seldom repeat.
    policy: { ttl: 30, swr: 2 * MINUTE, sie: HOUR },
    role: 'primary',
    isOftenEmpty: true,
    isTyped: true,
  },
  events: {
    description: 'a page of the event list',
    calls: ['event.totalevents', 'event.upcoming_events', 'event.past_events'],
    policy: { ttl: 2 * MINUTE, swr: 10 * MINUTE, sie: DAY },
    role: 'primary',
  },
  event: {
    description: 'an event',
    calls: ['event.eventdetails'],
    policy: { ttl: 2 * MINUTE, swr: 10 * MINUTE, sie: DAY },
    role: 'primary',
  },
  ads: {
    description: 'advertisements',
    calls: ['advertisement.get_active'],
    // A booked advertisement starts and ends on time, to the minute.
    policy: { ttl: MINUTE, swr: 5 * MINUTE, sie: HOUR },
    role: 'shared',
    isOftenEmpty: true,
  },
  categories: {
    description: 'the categories',
    calls: ['category.all'],
    policy: { ttl: 10 * MINUTE, swr: HOUR, sie: 7 * DAY },
    role: 'section',
  },
  subcategories: {
    description: 'the sub-categories',
    calls: ['category.subcatlist'],
    policy: { ttl: 10 * MINUTE, swr: HOUR, sie: 7 * DAY },
    role: 'section',
  },
} as const satisfies Record<string, ResourceRecord>;

export type Resource = keyof typeof TABLE;

/** The table of resources. Policies, variables, purges, retries, the snapshot, conformance and documents read it. */
export const RESOURCE_TABLE: Readonly<Record<Resource, ResourceRecord>> = TABLE;

// `Object.keys` is typed with `string`.
export const RESOURCES = Object.keys(TABLE) as Resource[];

/** Returns a record of `create(resource)` for each resource. */
export function byResource<T>(create: (resource: Resource) => T): Record<Resource, T> {
  // `Object.fromEntries` is typed with `string` keys.
  return Object.fromEntries(RESOURCES.map((resource) => [resource, create(resource)])) as Record<Resource, T>;
}

/** What the cache keeps, by the names that configuration, purge tags and metrics use. */
export const RESOURCES = [
  'navigation',
  'home',
  'tag',
  'topic',
  'article',
  'author',
  'aside',
  'latest',
  'search',
  'events',
  'event',
  'ads',
  'categories',
  'subcategories',
] as const;

export type Resource = (typeof RESOURCES)[number];

/** Something for each resource. */
export function byResource<T>(of: (resource: Resource) => T): Record<Resource, T> {
  // The library types every record that is made of pairs as one of any strings.
  return Object.fromEntries(RESOURCES.map((resource) => [resource, of(resource)])) as Record<Resource, T>;
}

/** Three ages in seconds: fresh for `ttl`, then stale while it is refreshed for `swr`, then stale while the refresh fails for `sie`. */
export interface Policy {
  ttl: number;
  swr: number;
  sie: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lists that editors watch are fresh for half a minute; what changes rarely for longer. Outages of a day are bridged. */
export const DEFAULT_POLICIES: Readonly<Record<Resource, Policy>> = {
  navigation: { ttl: MINUTE, swr: 10 * MINUTE, sie: DAY },
  home: { ttl: 30, swr: 10 * MINUTE, sie: DAY },
  tag: { ttl: MINUTE, swr: 10 * MINUTE, sie: DAY },
  topic: { ttl: 30, swr: 10 * MINUTE, sie: DAY },
  // A correction should be seen within a minute or two.
  article: { ttl: MINUTE, swr: 10 * MINUTE, sie: DAY },
  author: { ttl: 10 * MINUTE, swr: HOUR, sie: 7 * DAY },
  aside: { ttl: 2 * MINUTE, swr: 10 * MINUTE, sie: DAY },
  latest: { ttl: 30, swr: 10 * MINUTE, sie: DAY },
  // Terms are many and seldom repeat.
  search: { ttl: 30, swr: 2 * MINUTE, sie: HOUR },
  events: { ttl: 2 * MINUTE, swr: 10 * MINUTE, sie: DAY },
  event: { ttl: 2 * MINUTE, swr: 10 * MINUTE, sie: DAY },
  // A booked advertisement starts and ends on time, to the minute.
  ads: { ttl: MINUTE, swr: 5 * MINUTE, sie: HOUR },
  categories: { ttl: 10 * MINUTE, swr: HOUR, sie: 7 * DAY },
  subcategories: { ttl: 10 * MINUTE, swr: HOUR, sie: 7 * DAY },
};

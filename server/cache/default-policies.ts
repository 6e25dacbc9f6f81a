import type { Resource } from '#shared/models/resources.ts';

/**
 * Seconds for which a value is fresh (`ttl`), then served stale while it is refreshed (`swr`: stale-while-revalidate), then
 * served stale if loading fails (`sie`: stale-if-error). RFC 5861.
 */
export interface Policy {
  ttl: number;
  swr: number;
  sie: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lists that editors watch are fresh for half a minute, what changes rarely for longer. `sie` bridges an outage of a day. */
export const DEFAULT_POLICIES: Readonly<Record<Resource, Policy>> = {
  navigation: { ttl: MINUTE, swr: 10 * MINUTE, sie: DAY },
  home: { ttl: 30, swr: 10 * MINUTE, sie: DAY },
  tag: { ttl: MINUTE, swr: 10 * MINUTE, sie: DAY },
  topic: { ttl: 30, swr: 10 * MINUTE, sie: DAY },
  // A correction must be visible within a minute or two.
  article: { ttl: MINUTE, swr: 10 * MINUTE, sie: DAY },
  author: { ttl: 10 * MINUTE, swr: HOUR, sie: 7 * DAY },
  aside: { ttl: 2 * MINUTE, swr: 10 * MINUTE, sie: DAY },
  latest: { ttl: 30, swr: 10 * MINUTE, sie: DAY },
  // Search terms are many and seldom repeat.
  search: { ttl: 30, swr: 2 * MINUTE, sie: HOUR },
  events: { ttl: 2 * MINUTE, swr: 10 * MINUTE, sie: DAY },
  event: { ttl: 2 * MINUTE, swr: 10 * MINUTE, sie: DAY },
  // A booked advertisement starts and ends on time, to the minute.
  ads: { ttl: MINUTE, swr: 5 * MINUTE, sie: HOUR },
  categories: { ttl: 10 * MINUTE, swr: HOUR, sie: 7 * DAY },
  subcategories: { ttl: 10 * MINUTE, swr: HOUR, sie: 7 * DAY },
};

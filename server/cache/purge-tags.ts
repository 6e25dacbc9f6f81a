/**
 * How the tags of cache entries are spelled, by which operators and changes purge. Which ones an entry has is said by its
 * query (`server/content/cache-queries.ts`); besides, it has its resource's name.
 */

export const POST_TAG = 'post:';
export const CATEGORY_TAG = 'category:';
export const EVENT_TAG = 'event:';

/** Returns the tag of a post, by its id. */
export function postTag(id: string): string {
  return POST_TAG + id;
}

/** Returns the tag of a category, by its slug. */
export function categoryTag(slug: string): string {
  return CATEGORY_TAG + slug;
}

/** Returns the tag of an event, by its slug. */
export function eventTag(slug: string): string {
  return EVENT_TAG + slug;
}

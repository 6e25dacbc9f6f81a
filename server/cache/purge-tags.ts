/** The tags of cache entries, by which operators and changes purge. An entry also has its resource's name as a tag. */

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

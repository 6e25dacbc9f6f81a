import type { PostSummary } from '#shared/models/post.ts';

/**
 * Tags of cache entries, by which operators and changes purge. `cache-queries.ts` gives each entry its tags; besides, it
 * has its resource's name.
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

/** Returns the tags of all posts of some lists and of their categories. */
export function postTags(...lists: (readonly PostSummary[])[]): string[] {
  const posts = lists.flat();
  return [...new Set(posts.flatMap((post) => [postTag(post.id), categoryTag(post.category)]))];
}

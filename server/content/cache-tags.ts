import type { PostSummary } from '#shared/models/post.ts';

/**
 * Tags of cache entries, by which operators and changes purge. `cache-queries.ts` gives each entry its tags; besides, it
 * has its resource's name.
 */

/** Before a post's id, a category's slug, an event's slug. */
export const POST_TAG = 'post:';
export const CATEGORY_TAG = 'category:';
export const EVENT_TAG = 'event:';

/** Returns the tags of all posts of some lists and of their categories. */
export function postTags(...lists: (readonly PostSummary[])[]): string[] {
  const posts = lists.flat();
  return [...new Set(posts.flatMap((post) => [POST_TAG + post.id, CATEGORY_TAG + post.category]))];
}

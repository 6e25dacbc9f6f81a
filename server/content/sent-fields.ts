import type { Headline, MenuItem, PostHead, PostSummary } from '#shared/models/post.ts';

/** Returns the fields that a sidebar renders: no others are sent. */
export function headline(post: PostSummary): Headline {
  const { id, category, slug, title, author, publishedAt, sponsor } = post;
  return { id, category, slug, title, author, publishedAt, ...(sponsor !== undefined && { sponsor }) };
}

/** Returns the fields that a card without an excerpt renders. */
export function postHead({ excerpt: _, ...head }: PostSummary): PostHead {
  return head;
}

/** Returns the fields of a link to a post. */
export function postLink({ id, category, slug, title }: Headline) {
  return { id, category, slug, title };
}

/** Returns the fields that a menu renders. */
export function menuItem(post: PostSummary): MenuItem {
  return { ...headline(post), image: post.image };
}

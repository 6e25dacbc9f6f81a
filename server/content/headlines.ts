import type { Headline, MenuItem, PostHead, PostSummary } from '#shared/models/post.ts';

/** Only what a sidebar draws leaves the server. */
export function headline({ id, category, slug, title, author, publishedAt }: PostSummary): Headline {
  return { id, category, slug, title, author, publishedAt };
}

/** Only what a card without an excerpt draws leaves the server. */
export function postHead({ excerpt: _, ...head }: PostSummary): PostHead {
  return head;
}

/** Only what a menu draws leaves the server. */
export function menuItem(post: PostSummary): MenuItem {
  return { ...headline(post), image: post.image };
}

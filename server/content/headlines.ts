import type { Headline, MenuItem, PostSummary } from '#shared/models/post.ts';

/** Only what a sidebar draws leaves the server. */
export function headline({ id, category, slug, title, author, publishedAt }: PostSummary): Headline {
  return { id, category, slug, title, author, publishedAt };
}

/** Only what a menu draws leaves the server. */
export function menuItem(post: PostSummary): MenuItem {
  return { ...headline(post), image: post.image };
}

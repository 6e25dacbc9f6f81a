import { escapeHtml } from './html-to-text.ts';
import type { Post, PublishedEvent } from './publish-content.ts';

/** Make the JSON of the upstream's entities: fields of the specification, section 3, and others that such a CMS leaks. */

const iso = (time: number) => new Date(time).toISOString();

/** Returns a flag as database drivers do: sometimes a number, sometimes its text. */
function flag(on: boolean, id: number): number | string {
  const value = on ? 1 : 0;
  return id % 3 === 0 ? String(value) : value;
}

function postOf(post: Post) {
  return {
    id: post.id,
    cat_slug: post.category,
    post_name: post.slug,
    post_title: escapeHtml(post.title),
    post_author: post.authorName,
    post_author_id: post.authorId,
    post_date: iso(post.publishedAt),
    meta_description: post.deck,
    meta_keywords: post.keywords.join(', '),
    banner_img: `/posts/${post.slug}.jpg`,
    banner_show: flag(post.bannerShow, post.id),
    podcast_link: post.podcast,
    reading_time: post.readingMinutes,
    subcat_slug: post.subcategories.join(','),
    post_status: 'publish',
    post_type: 'post',
    comment_status: 'closed',
    post_parent: 0,
    created_at: iso(post.publishedAt - 3 * 3_600_000),
    updated_at: iso(post.publishedAt),
  };
}

/** Returns a post of a list, with its description in `post_content`. */
export function listedPost(post: Post) {
  return { ...postOf(post), post_content: `<p>${escapeHtml(post.deck)}</p>` };
}

/** Returns a post of the lists that have the description in `p_content` as well. */
export function describedPost(post: Post) {
  return { ...listedPost(post), p_content: escapeHtml(post.deck) };
}

/** Returns a post in full, with its HTML in `post_content`. */
export function fullPost(post: Post) {
  return { ...postOf(post), post_content: post.bodyHtml };
}

export function eventOf(event: PublishedEvent) {
  return {
    event_id: event.id,
    event_title: escapeHtml(event.title),
    event_slug: event.slug,
    event_banner: `/events/${event.slug}.jpg`,
    event_location: event.location,
    event_date: iso(event.startsAt),
    ...(event.endsAt !== null && { event_end_date: iso(event.endsAt) }),
    event_desc: event.descriptionHtml,
    event_link: event.link,
    banner_show: flag(event.bannerShow, event.id),
    podcast_link: event.podcast,
    event_status: 'active',
  };
}

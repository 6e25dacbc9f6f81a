import type { CmsPost } from '#server/cms/cms-entity-schemas.ts';
import { isLeftOut, type LeftOut } from '#server/cms/parse-list.ts';
import type { Article } from '#shared/models/article.ts';
import type { ImageResolver } from './normalise-image.ts';
import { normaliseLink } from './normalise-link.ts';
import { excerptOf, hasPodcastLink, normalisePost } from './normalise-post.ts';
import { plainText, shorten, slugOf } from './normalise-text.ts';
import { normaliseVideo } from './normalise-video.ts';
import { repeatsBeginning } from './tidy-excerpt.ts';

const DESCRIPTION_LENGTH = 300;
const MAX_KEYWORDS = 30;

function keywordsOf(value: string | null): string[] {
  const words = (plainText(value) ?? '').split(/[,;]/).map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))].slice(0, MAX_KEYWORDS);
}

function descriptionOf(post: CmsPost): string | null {
  const meta = plainText(post.meta_description);
  return meta === null ? excerptOf(post) : shorten(meta, DESCRIPTION_LENGTH);
}

/** Returns what stands between headline and body: the description, unless it only repeats how the body begins. */
export function deckOf(description: string | null, bodyHtml: string): string | null {
  return description === null || repeatsBeginning(description, bodyHtml) ? null : description;
}

/**
 * Returns a post in full, without its body and its deck. `address`: what was asked for; it replaces a missing slug or category.
 * The banner follows the specification, section 2: no podcast link, a picture, and `banner_show` 1.
 */
export function normaliseArticle(
  post: CmsPost,
  address: { category: string; slug: string },
  imageOf: ImageResolver,
  timeZone?: string,
): Omit<Article, 'bodyHtml' | 'headings' | 'deck'> | LeftOut {
  const addressed = {
    ...post,
    cat_slug: slugOf(post.cat_slug) ?? address.category,
    post_name: slugOf(post.post_name) ?? address.slug,
  };
  const summary = normalisePost(addressed, imageOf, timeZone);
  if (isLeftOut(summary)) return summary;
  const { excerpt: _, hasVideo: __, ...common } = summary;
  const authorUrl = normaliseLink(post.author_url);
  const showsBanner = !hasPodcastLink(post) && post.banner_show === 1;
  return {
    ...common,
    description: descriptionOf(post),
    modifiedAt: common.modifiedAt ?? null,
    keywords: keywordsOf(post.meta_keywords),
    banner: showsBanner ? summary.image : null,
    video: normaliseVideo(post.podcast_link),
    ...(authorUrl !== null && { authorUrl }),
  };
}

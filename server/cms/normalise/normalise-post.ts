import { z } from 'zod';
import { cmsAddress, cmsDate, cmsNumber, cmsText, LeftOut, required } from '#server/cms/lenient-parsing.ts';
import type { Article } from '#shared/models/article.ts';
import type { PostSummary } from '#shared/models/post.ts';
import { isArticlePath, isNonPagePath } from '#shared/non-page-path.ts';
import { normaliseDate } from './normalise-date.ts';
import type { ImageResolver } from './normalise-image.ts';
import { cmsMediaLink, normaliseLink, normaliseVideo } from './normalise-link.ts';
import { beginningOf, firstWords, plainText, shorten, slugOf, wordsOfSlug } from './normalise-text.ts';
import { repeatsBeginning, tidyExcerpt } from './tidy-excerpt.ts';

export const cmsPost = z.object({
  id: cmsText,
  cat_slug: cmsText,
  post_name: cmsText,
  post_title: cmsText,
  post_content: cmsText,
  p_content: cmsText,
  post_author: cmsText,
  post_author_id: cmsText,
  post_date: cmsDate,
  /** Not of the specification: when the post was changed last, where a CMS says so. */
  updated_at: cmsDate,
  sponsor: cmsText,
  author_url: cmsAddress,
  meta_description: cmsText,
  meta_keywords: cmsText,
  banner_img: cmsAddress,
  banner_show: cmsNumber,
  podcast_link: cmsMediaLink,
  reading_time: cmsText,
});
export type CmsPost = z.infer<typeof cmsPost>;

/** A card shows two or three lines; some upstream lists have the whole article here. */
const EXCERPT_LENGTH = 300;
/** Minutes; anything longer is no reading time. */
const MAX_READING_MINUTES = 600;

const HOURS =
  /(?<![\d.,:])(\d{1,2}(?:[.,]\d{1,2})?)\s*(?:h|hrs?|hours?|std|stunden?)(?![a-z])(?:\D{0,8}(\d{1,2})(?!\d))?/i;

/** Reads minutes from a number, or from a text such as `4 min` (its first digits) or `1 hour 5 min`. */
function readingMinutes(value: string | null): number | null {
  const text = value?.slice(0, 64).trim() ?? '';
  if (text.startsWith('-')) return null;
  const [, hours, rest = '0'] = HOURS.exec(text) ?? [];
  const [digits] = /\d{1,4}(\.\d{1,4})?/.exec(text) ?? [];
  const minutes = Math.round(hours ? 60 * Number(hours.replace(',', '.')) + Number(rest) : Number(digits));
  return minutes >= 1 && minutes <= MAX_READING_MINUTES ? minutes : null;
}

/** Returns the short description: `p_content`, else `post_content` (a list's, short HTML). */
export function excerptOf(post: CmsPost): string | null {
  const text = beginningOf(post.p_content) ?? beginningOf(post.post_content);
  const excerpt = text === null ? null : tidyExcerpt(text);
  return excerpt === null ? null : shorten(excerpt, EXCERPT_LENGTH);
}

/** Returns the title of a post, else its first words; null where it has none. */
function titleOf(post: CmsPost): string | null {
  return plainText(post.post_title) ?? firstWords(excerptOf(post) ?? plainText(post.meta_description));
}

/**
 * Returns the post as a card needs it. Left out without a slug, a category or any words, and where no page can have its path;
 * the slug replaces a missing id.
 */
export function normalisePost(post: CmsPost, imageOf: ImageResolver, timeZone?: string): PostSummary {
  const slug = required(slugOf(post.post_name), 'no slug');
  const category = required(slugOf(post.cat_slug), 'no category');
  const title = required(titleOf(post), 'no title');
  const modifiedAt = normaliseDate(post.updated_at, timeZone);
  const sponsor = plainText(post.sponsor);
  // A search may find events, which have pages of their own.
  const isEvent = /^events$/i.test(category);
  const hasPage = isEvent ? !isNonPagePath(`/events/${slug}`) : isArticlePath(category, slug);
  if (!hasPage) throw new LeftOut('the path of a file or of another page');
  return {
    id: slugOf(post.id) ?? slug,
    category,
    slug,
    title,
    excerpt: excerptOf(post),
    author: plainText(post.post_author),
    publishedAt: normaliseDate(post.post_date, timeZone),
    image: imageOf(post.banner_img),
    readingMinutes: readingMinutes(post.reading_time),
    hasVideo: normaliseVideo(post.podcast_link) !== null,
    ...(modifiedAt !== null && { modifiedAt }),
    ...(sponsor !== null && { sponsor }),
  };
}

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

/** Returns the text between headline and body: the description, unless it only repeats how the body begins. */
export function deckOf(description: string | null, beginning: string): string | null {
  return description === null || repeatsBeginning(description, beginning) ? null : description;
}

interface ArticleAddress {
  category: string;
  slug: string;
}

/** Returns where a post is: where it was asked for, if it says nothing else or what no article's page can have. */
function addressOf(post: CmsPost, asked: ArticleAddress): ArticleAddress {
  const category = slugOf(post.cat_slug) ?? asked.category;
  const slug = slugOf(post.post_name) ?? asked.slug;
  return isArticlePath(category, slug) ? { category, slug } : asked;
}

/**
 * Returns a post in full, without its body and its deck. `asked`: its address in the request.
 * The banner follows the specification, section 2: no podcast link, a picture, and `banner_show` 1.
 */
export function normaliseArticle(
  post: CmsPost,
  asked: ArticleAddress,
  imageOf: ImageResolver,
  timeZone?: string,
): Omit<Article, 'bodyHtml' | 'headings' | 'deck'> {
  const { category, slug } = addressOf(post, asked);
  const addressed = {
    ...post,
    cat_slug: category,
    post_name: slug,
    post_title: titleOf(post) === null ? wordsOfSlug(post.post_name) : post.post_title,
  };
  const summary = normalisePost(addressed, imageOf, timeZone);
  const { excerpt: _, hasVideo: __, ...common } = summary;
  const authorUrl = normaliseLink(post.author_url);
  // A link counts whether it leads somewhere or not.
  const showsBanner = !post.podcast_link?.trim() && post.banner_show === 1;
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

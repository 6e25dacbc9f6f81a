import { z } from 'zod';
import { Advertisement } from './advertisement.ts';
import { Author } from './author.ts';
import { PostHead } from './post.ts';

/**
 * A video by provider and id: its URLs are built from them, never taken from the upstream. The id of an unlisted one of
 * Vimeo ends with a slash and its key.
 */
export const Video = z.object({ provider: z.enum(['youtube', 'vimeo']), id: z.string() });

/** One entry of the table of contents, in document order. */
const Heading = z.object({
  /** The id of the heading element in the article's HTML. */
  id: z.string(),
  text: z.string(),
  /** Level in the upstream's body: an H1 is rendered as `h2` but has level 1 here. */
  level: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  /** `1.` for an H2, `1.2` for an H3; null for H1, H4 and an H3 before any H2. */
  number: z.string().nullable(),
});

/** A post with its body. */
const Article = PostHead.omit({ hasVideo: true }).extend({
  /** Null where the upstream does not say it. */
  modifiedAt: z.iso.datetime({ offset: true }).nullable(),
  /** Plain text: the meta description, else the excerpt. */
  description: z.string().nullable(),
  /** The description, below the title: null where it only repeats the beginning of the body. */
  deck: z.string().nullable(),
  keywords: z.array(z.string()),
  /** The banner that the page shows: null with a video, without an image, or unless `banner_show` is 1. */
  banner: z.string().nullable(),
  video: Video.nullable(),
  /** HTML that the server has sanitized by its allow-list. */
  bodyHtml: z.string(),
  /** The author's own page. */
  authorUrl: z.url().optional(),
  headings: z.array(Heading),
});

/** Data of the article page. */
export const ArticlePage = z.object({
  article: Article,
  author: Author.nullable(),
  /** Id of the author’s page; null where there is none. */
  authorPage: z.string().nullable(),
  /** Latest posts, for "More from". */
  latest: z.array(PostHead),
  /** Posts of the same category, without this one. */
  related: z.array(PostHead),
  ads: z.array(Advertisement),
});

export type Video = z.infer<typeof Video>;
export type Heading = z.infer<typeof Heading>;
export type Article = z.infer<typeof Article>;
export type ArticlePage = z.infer<typeof ArticlePage>;

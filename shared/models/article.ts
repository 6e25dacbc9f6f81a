import type { Advertisement } from './advertisement.ts';
import type { PostHead } from './post.ts';

/** A video by provider and id: its URLs are built from them, never taken from the upstream. */
export interface Video {
  provider: 'youtube' | 'vimeo';
  id: string;
}

/** One entry of the table of contents, in document order. */
export interface Heading {
  /** The id of the heading element in the article's HTML. */
  id: string;
  text: string;
  /** Level in the upstream's body: an H1 is rendered as `h2` but has level 1 here. */
  level: 1 | 2 | 3 | 4;
  /** `1.` for an H2, `1.2` for an H3; null for H1, H4 and an H3 before any H2. */
  number: string | null;
}

/** A post with its body. */
export interface Article {
  id: string;
  category: string;
  slug: string;
  title: string;
  author: string | null;
  publishedAt: string | null;
  /** Plain text: the meta description, else the excerpt. */
  description: string | null;
  keywords: string[];
  /** The post's image, for link previews and structured data. */
  image: string | null;
  /** The banner that the page shows: null with a video, without an image, or unless `banner_show` is 1. */
  banner: string | null;
  video: Video | null;
  readingMinutes: number | null;
  /** HTML that the server has sanitized by its allow-list. */
  bodyHtml: string;
  headings: Heading[];
}

/** The author of a post. `photo`: null for the default photo. */
export interface Author {
  name: string;
  description: string | null;
  photo: string | null;
}

/** Data of the article page. */
export interface ArticlePage {
  article: Article;
  author: Author | null;
  /** Latest posts, for "More from". */
  latest: PostHead[];
  /** Posts of the same category, without this one. */
  related: PostHead[];
  ads: Advertisement[];
}

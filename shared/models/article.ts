import type { Advertisement } from './advertisement.ts';
import type { PostHead } from './post.ts';

/** A video that is known by its provider and id alone, so that we build its address ourselves. */
export interface Video {
  provider: 'youtube' | 'vimeo';
  id: string;
}

/** One entry of the contents list, in document order. */
export interface Heading {
  /** The id of the heading element in the article's HTML. */
  id: string;
  text: string;
  /** Its rank in the upstream's body: an H1 is drawn as `h2` but keeps rank 1 here. */
  level: 1 | 2 | 3 | 4;
  /** `1.` for an H2, `1.2` for an H3; null for H1, H4 and an H3 before any H2. */
  number: string | null;
}

/** A post in full. */
export interface Article {
  id: string;
  category: string;
  slug: string;
  title: string;
  author: string | null;
  publishedAt: string | null;
  /** Plain text: the meta description, or the excerpt where there is none. */
  description: string | null;
  keywords: string[];
  /** The post's picture, for previews and structured data, whether or not the page draws it. */
  image: string | null;
  /** The banner as the page draws it: only without a video, with a picture, and with `banner_show` 1. */
  banner: string | null;
  video: Video | null;
  readingMinutes: number | null;
  /** Safe HTML: made by the server's allow-list, never by the browser. */
  bodyHtml: string;
  headings: Heading[];
}

/** Who wrote it. `photo` is null where the default photo stands in. */
export interface Author {
  name: string;
  description: string | null;
  photo: string | null;
}

/** What the article page draws. */
export interface ArticlePage {
  article: Article;
  author: Author | null;
  /** "More from": latest posts. */
  latest: PostHead[];
  /** Posts of the same category, without this one. */
  related: PostHead[];
  ads: Advertisement[];
}

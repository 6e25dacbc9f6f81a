/** A post as cards and list rows show it. */
export interface PostSummary {
  id: string;
  /** Category slug: first segment of the post's path. */
  category: string;
  /** Second segment of the path; also the image's `alt` (specification). */
  slug: string;
  /** Plain text. */
  title: string;
  /** Plain text. */
  excerpt: string | null;
  author: string | null;
  /** ISO 8601, UTC. */
  publishedAt: string | null;
  /** URL of the image without its width; see `imageUrl` in `shared/urls.ts`. */
  image: string | null;
  readingMinutes: number | null;
  hasVideo: boolean;
}

/** A post as cards without an excerpt show it. */
export type PostHead = Omit<PostSummary, 'excerpt'>;

/** A post as sidebars show it. */
export type Headline = Pick<PostSummary, 'id' | 'category' | 'slug' | 'title' | 'author' | 'publishedAt'>;

/** A post as menus show it. */
export type MenuItem = Headline & Pick<PostSummary, 'image'>;

/** Position of a page in a list. `page` counts from 1. */
export interface Pagination {
  page: number;
  limit: number;
  totalItems: number;
  totalPages: number;
}

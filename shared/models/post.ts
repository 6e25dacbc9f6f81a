/** What a card, a list row or a menu item draws of a post. */
export interface PostSummary {
  id: string;
  /** Category slug: the first segment of the post's address. */
  category: string;
  /** The second segment of the address; the specification also makes it the image's `alt`. */
  slug: string;
  /** Plain text. */
  title: string;
  /** Plain text, or null when the upstream had none. */
  excerpt: string | null;
  author: string | null;
  /** ISO 8601, UTC. */
  publishedAt: string | null;
  /** Address of the picture without its width; see `imageUrl` in `shared/urls.ts`. */
  image: string | null;
  readingMinutes: number | null;
  hasVideo: boolean;
}

/** What a card without an excerpt draws of a post. */
export type PostHead = Omit<PostSummary, 'excerpt'>;

/** What a sidebar draws of a post. */
export type Headline = Pick<PostSummary, 'id' | 'category' | 'slug' | 'title' | 'author' | 'publishedAt'>;

/** What a menu draws of a post. */
export type MenuItem = Headline & Pick<PostSummary, 'image'>;

/** Where a list stands among its pages. `page` counts from 1. */
export interface Pagination {
  page: number;
  limit: number;
  totalItems: number;
  totalPages: number;
}

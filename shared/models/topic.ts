import type { Advertisement } from './advertisement.ts';
import type { Pagination, PostSummary } from './post.ts';

/** A category or sub-category. */
export interface Category {
  slug: string;
  name: string;
}

/** One page of a topic's list. */
export interface TopicPage {
  category: string;
  subcategory: string | null;
  posts: PostSummary[];
  pagination: Pagination;
  subcategories: Category[];
  /** Post-1 and Footer-3. */
  ads: Advertisement[];
}

/** One page of search results. */
export interface SearchPage {
  category: string;
  term: string;
  posts: PostSummary[];
  pagination: Pagination;
  categories: Category[];
  /** Footer-3; the page shows the first. */
  ads: Advertisement[];
}

/** Data of the sitemap page. */
export interface SitemapPage {
  subcategories: Category[];
  /** Error message if the list failed to load, shown in its place; else null. */
  failure: string | null;
}

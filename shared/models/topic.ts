import type { Advertisement } from './advertisement.ts';
import type { Pagination, PostSummary } from './post.ts';

/** A slug and the name it is shown by. */
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
  /** Footer-3; the page draws the first. */
  ads: Advertisement[];
}

/** What the sitemap page draws besides its fixed links. */
export interface SitemapPage {
  subcategories: Category[];
  /** Why the list could not be had, else null; the page shows it in the list's place. */
  failure: string | null;
}

import type { Advertisement } from './advertisement.ts';
import type { PostSummary } from './post.ts';

/** Data of a tag page: the posts of its sections, cut to what it shows. */
export interface TagPage {
  subcategory: string;
  /**
   * It is one of the upstream's sub-categories. The upstream returns empty lists for any other text, so search engines must
   * not index those pages: anybody could create them.
   */
  isKnown: boolean;
  /** At most 3. */
  news: PostSummary[];
  /** Posts 1 to 7 are the side list, the others cards. */
  articles: PostSummary[];
  quickBytes: PostSummary[];
  podcasts: PostSummary[];
  /** At most 4. */
  hotSeats: PostSummary[];
  /** At most 2. */
  futureReady: PostSummary[];
  guestAuthors: PostSummary[];
  /** At most 3. */
  learningCenter: PostSummary[];
  /** Post-1 and Footer-3. */
  ads: Advertisement[];
}

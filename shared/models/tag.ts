import type { Advertisement } from './advertisement.ts';
import type { PostSummary } from './post.ts';

/** The sections of a tag page, already cut to what the page shows. */
export interface TagPage {
  subcategory: string;
  /**
   * Whether it is one of the upstream's sub-categories. The upstream has empty lists for any other text, so that anybody
   * could make pages for search engines: those are for readers alone.
   */
  isKnown: boolean;
  /** At most 3. */
  news: PostSummary[];
  /** Posts 1 to 7 are the side list, 8 on stand beside it. */
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

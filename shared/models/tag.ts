import { z } from 'zod';
import { Advertisement } from './advertisement.ts';
import { PostSummary } from './post.ts';

/** Data of a tag page: the posts of its sections, cut to what it shows. */
export const TagPage = z.object({
  subcategory: z.string(),
  /** The sub-category's name: null where the upstream's list has none. */
  name: z.string().nullable(),
  /**
   * It is one of the upstream's sub-categories. The upstream returns empty lists for any other text, so search engines must
   * not index those pages: anybody could create them.
   */
  isKnown: z.boolean(),
  /** At most 3. */
  news: z.array(PostSummary),
  /** Posts 1 to 7 are the side list, the others cards. */
  articles: z.array(PostSummary),
  quickBytes: z.array(PostSummary),
  podcasts: z.array(PostSummary),
  /** At most 4. */
  hotSeats: z.array(PostSummary),
  /** At most 2. */
  futureReady: z.array(PostSummary),
  guestAuthors: z.array(PostSummary),
  /** At most 3. */
  learningCenter: z.array(PostSummary),
  /** Post-1 and Footer-3. */
  ads: z.array(Advertisement),
});

export type TagPage = z.infer<typeof TagPage>;

import { z } from 'zod';
import { Advertisement } from './advertisement.ts';
import { Headline, PostSummary } from './post.ts';

/** The two tabs of a sidebar. */
export const SidebarLists = z
  .object({ latest: z.array(Headline), popular: z.array(Headline) })
  .meta({ id: 'Sidebar' });

/** Data of the home page, in the order of its sections. A list that failed to load is empty. */
export const Home = z.object({
  /** At most three: the lead and two secondary posts. */
  top: z.array(PostSummary),
  sidebar: SidebarLists,
  /** The first is featured. */
  podcasts: z.array(PostSummary),
  guests: z.array(PostSummary),
  /** All items of the upstream's list. */
  quickBytes: z.array(PostSummary),
  /** Items 2, 3 and 4 of the upstream's list; the page does not show the first. */
  articles: z.array(PostSummary),
  /** Posts of the site folder's own sections, by category slug, in place of the four lists; absent without any. */
  sections: z.record(z.string(), z.array(PostSummary)).optional(),
  /** Home-2 and Footer-3. */
  ads: z.array(Advertisement),
});

export type SidebarLists = z.infer<typeof SidebarLists>;
export type Home = z.infer<typeof Home>;

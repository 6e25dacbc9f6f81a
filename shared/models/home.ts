import { z } from 'zod';
import { Advertisement } from './advertisement.ts';
import { Headline, PostSummary } from './post.ts';

/** The two tabs of a sidebar. */
export const SidebarLists = z
  .object({ latest: z.array(Headline), popular: z.array(Headline) })
  .meta({ id: 'Sidebar' });

/** Data of the home page. */
export const Home = z.object({
  /** At most three: the lead and two secondary posts. */
  top: z.array(PostSummary),
  sidebar: SidebarLists,
  /** Posts of the sections that it shows, by category slug. */
  sections: z.record(z.string(), z.array(PostSummary)),
  /** Home-2 and Footer-3. */
  ads: z.array(Advertisement),
});

export type SidebarLists = z.infer<typeof SidebarLists>;
export type Home = z.infer<typeof Home>;

import type { Advertisement } from './advertisement.ts';
import type { Headline, PostSummary } from './post.ts';

/** Data of the home page, in the order of its sections. A list that failed to load is empty. */
export interface Home {
  /** At most three: the lead and two secondary posts. */
  top: PostSummary[];
  sidebar: SidebarLists;
  /** The first is featured. */
  podcasts: PostSummary[];
  guests: PostSummary[];
  /** All items of the upstream's list. */
  quickBytes: PostSummary[];
  /** Items 2, 3 and 4 of the upstream's list; the page does not show the first. */
  articles: PostSummary[];
  /** Home-2 and Footer-3. */
  ads: Advertisement[];
}

/** The two tabs of a sidebar. */
export interface SidebarLists {
  latest: Headline[];
  popular: Headline[];
}

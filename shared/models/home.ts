import type { Advertisement } from './advertisement.ts';
import type { Headline, PostSummary } from './post.ts';

/** What the home page draws, in the order it draws it. A list that failed to load is empty. */
export interface Home {
  /** At most three: the lead and two secondary stories. */
  top: PostSummary[];
  sidebar: SidebarLists;
  /** The first is featured. */
  podcasts: PostSummary[];
  guests: PostSummary[];
  /** All items of the upstream's list, its first one at index 0. */
  quickBytes: PostSummary[];
  /** Items 2, 3 and 4 of the upstream's list; its first is not drawn on this page. */
  articles: PostSummary[];
  /** Home-2 and Footer-3. */
  ads: Advertisement[];
}

/** The two tabs of a sidebar. */
export interface SidebarLists {
  latest: Headline[];
  popular: Headline[];
}

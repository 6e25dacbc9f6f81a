import type { MenuItem } from './post.ts';

/** One column of a menu's panel. */
export interface MenuColumn {
  title: string;
  /** Category slug of its See More link. */
  category: string;
  items: MenuItem[];
}

/** One of the three dropdown menus of the header. */
export interface Menu {
  name: 'Latest' | 'Leadership' | 'Features';
  columns: MenuColumn[];
  /** True when its data could not be had; the panel then says so. */
  failed: boolean;
}

/** What every page's header draws. */
export interface Navigation {
  menus: Menu[];
}

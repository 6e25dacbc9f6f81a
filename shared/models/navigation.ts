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
  /** Its data failed to load; the panel shows an error. */
  failed: boolean;
}

/** Data of the header. */
export interface Navigation {
  menus: Menu[];
}

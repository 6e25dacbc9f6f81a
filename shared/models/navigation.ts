import { z } from 'zod';
import { MenuItem } from './post.ts';

/** One column of a menu's panel. */
const MenuColumn = z.object({
  title: z.string(),
  /** Category slug of its See More link. */
  category: z.string(),
  items: z.array(MenuItem),
});

/** One of the dropdown menus of the header. */
const Menu = z.object({
  name: z.string(),
  columns: z.array(MenuColumn),
  /** Its data failed to load; the panel shows an error. */
  failed: z.boolean(),
});

/** Data of the header. */
export const Navigation = z.object({ menus: z.array(Menu) });

export type MenuColumn = z.infer<typeof MenuColumn>;
export type Menu = z.infer<typeof Menu>;
export type Navigation = z.infer<typeof Navigation>;

import { z } from 'zod';
import { cmsText, LeftOut } from '#server/cms/lenient-parsing.ts';
import type { Category } from '#shared/models/topic.ts';
import { isNonPagePath } from '#shared/non-page-path.ts';
import { plainText, slugOf } from './normalise-text.ts';

export const cmsCategory = z.object({ cat_slug: cmsText, cat_name: cmsText });
export type CmsCategory = z.infer<typeof cmsCategory>;

export const cmsSubcategory = z.object({ subcat_slug: cmsText, subcat_name: cmsText });
export type CmsSubcategory = z.infer<typeof cmsSubcategory>;

function category(slug: string | null, name: string | null): Category {
  const known = slugOf(slug);
  if (known === null) throw new LeftOut('no slug');
  if (isNonPagePath(`/topic/${known}`)) throw new LeftOut('the path of a file');
  return { slug: known, name: plainText(name) ?? known };
}

/** Returns a category. Left out without a slug, which also replaces a missing name, and where no page can have its path. */
export function normaliseCategory({ cat_slug, cat_name }: CmsCategory): Category {
  return category(cat_slug, cat_name);
}

/** Returns a sub-category, by the same rule. */
export function normaliseSubcategory({ subcat_slug, subcat_name }: CmsSubcategory): Category {
  return category(subcat_slug, subcat_name);
}

import { z } from 'zod';
import { cmsText, LeftOut, required } from '#server/cms/lenient-parsing.ts';
import type { Category } from '#shared/models/topic.ts';
import { isNonPagePath } from '#shared/non-page-path.ts';
import { plainText, slugOf } from './normalise-text.ts';

export const cmsCategory = z.object({ cat_slug: cmsText, cat_name: cmsText });
export type CmsCategory = z.infer<typeof cmsCategory>;

export const cmsSubcategory = z
  .object({ subcat_slug: cmsText, subcat_name: cmsText })
  .transform((given): CmsCategory => ({ cat_slug: given.subcat_slug, cat_name: given.subcat_name }));

/** Returns a category. Left out without a slug, which also replaces a missing name, and where no page can have its path. */
export function normaliseCategory({ cat_slug, cat_name }: CmsCategory): Category {
  const slug = required(slugOf(cat_slug), 'no slug');
  if (isNonPagePath(`/topic/${slug}`)) throw new LeftOut('the path of a file');
  return { slug, name: plainText(cat_name) ?? slug };
}

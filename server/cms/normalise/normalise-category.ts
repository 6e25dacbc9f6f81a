import type { CmsCategory, CmsSubcategory } from '#server/cms/cms-entity-schemas.ts';
import { type LeftOut, leftOut } from '#server/cms/parse-list.ts';
import type { Category } from '#shared/models/topic.ts';
import { plainText, slugOf } from './normalise-text.ts';

function category(slug: string | null, name: string | null): Category | LeftOut {
  const known = slugOf(slug);
  return known === null ? leftOut('no slug') : { slug: known, name: plainText(name) ?? known };
}

/** Returns a category. Left out without a slug, which also replaces a missing name. */
export function normaliseCategory({ cat_slug, cat_name }: CmsCategory): Category | LeftOut {
  return category(cat_slug, cat_name);
}

/** Returns a sub-category, by the same rule. */
export function normaliseSubcategory({ subcat_slug, subcat_name }: CmsSubcategory): Category | LeftOut {
  return category(subcat_slug, subcat_name);
}

import type { PostSummary } from '#shared/models/post.ts';
import { type SiteSettings, sectionOf } from '#shared/site.ts';

/** Returns the label of a post's section; of another category the upstream's name, or its slug as words. */
export function sectionName(
  site: SiteSettings,
  { category, categoryName }: Pick<PostSummary, 'category' | 'categoryName'>,
): string {
  return sectionOf(site.sections, category)?.label ?? categoryName ?? category.replaceAll('-', ' ');
}

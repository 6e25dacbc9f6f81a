import type { PostSummary } from '#shared/models/post.ts';
import type { SiteSettings } from '#shared/site.ts';

/** Returns the label of a post's section; of another category the upstream's name, or its slug as words. */
export function sectionName(
  { sections }: SiteSettings,
  { category, categoryName }: Pick<PostSummary, 'category' | 'categoryName'>,
): string {
  const section = sections.find(({ slug }) => slug === category);
  return section?.label ?? categoryName ?? category.replaceAll('-', ' ');
}

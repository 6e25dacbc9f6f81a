import type { SiteSettings } from '#shared/site.ts';

/** Returns the label of a category's section, or its slug as words. */
export function sectionName({ sections }: SiteSettings, category: string): string {
  return sections.find(({ slug }) => slug === category)?.label ?? category.replaceAll('-', ' ');
}

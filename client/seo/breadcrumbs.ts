import type { BreadcrumbList } from 'schema-dts';
import type { SiteSettings } from '#shared/site.ts';

/** Returns the breadcrumbs of a page: the home page, then `steps`, the page itself last. */
export function breadcrumbs(
  origin: string,
  site: SiteSettings,
  steps: readonly { name: string; path: string }[],
): BreadcrumbList {
  const all = [{ name: site.name, path: '/' }, ...steps];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: all.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: new URL(path, origin).href,
    })),
  };
}

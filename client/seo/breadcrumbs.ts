import type { BreadcrumbList } from 'schema-dts';
import { site } from '#shared/site.ts';

/** The way to a page: the home page first, the page itself last. `path` of each step, from the site's root. */
export function breadcrumbs(
  origin: string,
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

import type { BreadcrumbList, Thing } from 'schema-dts';
import type { TagPage } from '#shared/models/tag.ts';
import type { TopicPage } from '#shared/models/topic.ts';
import { type SiteSettings, sectionOf } from '#shared/site.ts';
import { capitalise, tagPath, topicPath } from '#shared/urls.ts';

/** Returns the breadcrumbs of a topic. */
export function topicGraph(
  { category, subcategory }: TopicPage,
  origin: string,
  site: SiteSettings,
): Thing[] {
  const name = sectionOf(site.sections, category)?.titles?.topic ?? capitalise(category);
  const steps = [{ name, path: topicPath(category) }];
  if (subcategory !== null)
    steps.push({ name: capitalise(subcategory), path: topicPath(category, subcategory) });
  return [breadcrumbs(origin, site, steps)];
}

/** Returns the breadcrumbs of a tag page; nothing for a tag that the upstream does not know. */
export function tagGraph({ subcategory, isKnown }: TagPage, origin: string, site: SiteSettings): Thing[] {
  if (!isKnown) return [];
  return [breadcrumbs(origin, site, [{ name: capitalise(subcategory), path: tagPath(subcategory) }])];
}

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

import type { Organization, Person, ProfilePage, Thing } from 'schema-dts';
import type { Author, AuthorPage } from '#shared/models/author.ts';
import type { TagPage } from '#shared/models/tag.ts';
import type { TopicPage } from '#shared/models/topic.ts';
import { type SiteSettings, sectionOf } from '#shared/site.ts';
import { authorPath, capitalise, tagPath, topicPath } from '#shared/urls.ts';
import { absoluteImage, breadcrumbs } from './site-graph.ts';

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

/** Returns the structured data of an author's page: the profile, and breadcrumbs. */
export function authorGraph({ id, author }: AuthorPage, origin: string, site: SiteSettings): Thing[] {
  const path = authorPath(id);
  const url = new URL(path, origin).href;
  const profile: ProfilePage = {
    '@type': 'ProfilePage',
    '@id': `${url}#page`,
    url,
    mainEntity: writer(author, url, origin),
  };
  return [profile, breadcrumbs(origin, site, [{ name: author.name, path }])];
}

/** A byline of several people: `Newsroom Desk`, `The Editors`. */
const DESK = /\b(desk|editors|editorial|newsroom|redaction|staff|team)\b|redaktion\b/i;

/** Returns an author as a person, or a desk as an organization. `url`: of a page about them. */
export function writer(author: Author, url: string | null, origin: string): Person | Organization {
  const { name, description, photo } = author;
  return {
    '@type': DESK.test(name) ? 'Organization' : 'Person',
    name,
    ...(url && { url }),
    ...(author.url && author.url !== url && { sameAs: author.url }),
    ...(description && { description }),
    ...(photo && { image: absoluteImage(photo, 500, origin) }),
  };
}

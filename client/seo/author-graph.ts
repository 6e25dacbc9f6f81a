import type { Organization, Person, ProfilePage, Thing } from 'schema-dts';
import type { Author, AuthorPage } from '#shared/models/author.ts';
import type { SiteSettings } from '#shared/site.ts';
import { authorPath } from '#shared/urls.ts';
import { absoluteImage } from './site-graph.ts';
import { breadcrumbs } from './topic-graph.ts';

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

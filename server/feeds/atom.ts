import type { SiteSettings } from '#shared/site.ts';
import { articlePath } from '#shared/urls.ts';
import { type Channel, MEDIA_RSS, picture } from './rss.ts';
import { element, xmlDocument } from './xml.ts';

/**
 * Returns the posts of the RSS feed as Atom 1.0 (RFC 4287). Links are absolute, from `origin`. Atom requires dates: a post
 * without one gets the oldest of the feed, and a feed without any gets `now` (wall-clock milliseconds).
 */
export function atom(
  { title, path, self, posts }: Channel,
  origin: string,
  now: number,
  site: SiteSettings,
): string {
  const dates = posts
    .map((post) => post.modifiedAt ?? post.publishedAt)
    .filter((date) => date !== null)
    .sort((one, other) => Date.parse(one) - Date.parse(other));
  const oldest = dates[0] ?? new Date(now).toISOString();
  const newest = dates.at(-1) ?? oldest;
  return xmlDocument(
    element(
      'feed',
      [
        element('title', title),
        element('subtitle', site.description),
        element('id', new URL(path, origin).href),
        link(new URL(path, origin).href, 'alternate', 'text/html'),
        link(new URL(self, origin).href, 'self', 'application/atom+xml'),
        element('updated', newest),
        element('rights', site.copyright),
        element('author', [element('name', site.name)]),
        ...posts.map((post) => {
          const address = new URL(articlePath(post), origin).href;
          return element('entry', [
            element('title', post.title),
            element('id', address),
            link(address, 'alternate', 'text/html'),
            element('updated', post.modifiedAt ?? post.publishedAt ?? oldest),
            ...(post.publishedAt ? [element('published', post.publishedAt)] : []),
            ...(post.author ? [element('author', [element('name', post.author)])] : []),
            element('category', [], { term: post.category }),
            ...(post.excerpt ? [element('summary', post.excerpt)] : []),
            ...picture(post, origin),
          ]);
        }),
      ],
      { xmlns: 'http://www.w3.org/2005/Atom', 'xmlns:media': MEDIA_RSS, 'xml:lang': site.language },
    ),
  );
}

function link(href: string, rel: string, type: string): string {
  return element('link', [], { href, rel, type });
}

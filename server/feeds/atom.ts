import { site } from '#shared/site.ts';
import { articlePath } from '#shared/urls.ts';
import type { Channel } from './rss.ts';
import { element, type XmlElement, xmlDocument } from './xml.ts';

/** What an entry says of its time where the upstream says nothing: Atom wants one. */
const UNKNOWN = '1970-01-01T00:00:00.000Z';

/** Atom 1.0 (RFC 4287) of the same posts as the RSS feed. All links are absolute, from `origin`. */
export function atom({ title, path, self, posts }: Channel, origin: string): string {
  const dates = posts.map(({ publishedAt }) => publishedAt ?? UNKNOWN).sort();
  return xmlDocument(
    element(
      'feed',
      [
        element('title', title),
        element('subtitle', site.description),
        element('id', new URL(path, origin).href),
        link(new URL(path, origin).href, 'alternate', 'text/html'),
        link(new URL(self, origin).href, 'self', 'application/atom+xml'),
        element('updated', dates.at(-1) ?? UNKNOWN),
        element('rights', site.copyright),
        element('author', [element('name', site.name)]),
        ...posts.map((post) => {
          const address = new URL(articlePath(post), origin).href;
          return element('entry', [
            element('title', post.title),
            element('id', address),
            link(address, 'alternate', 'text/html'),
            element('updated', post.publishedAt ?? UNKNOWN),
            ...(post.publishedAt ? [element('published', post.publishedAt)] : []),
            ...(post.author ? [element('author', [element('name', post.author)])] : []),
            { name: 'category', attributes: { term: post.category } },
            ...(post.excerpt ? [element('summary', post.excerpt)] : []),
          ]);
        }),
      ],
      { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': site.language },
    ),
  );
}

function link(href: string, rel: string, type: string): XmlElement {
  return { name: 'link', attributes: { href, rel, type } };
}

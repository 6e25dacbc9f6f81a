import type { PostSummary } from '#shared/models/post.ts';
import type { SiteSettings } from '#shared/site.ts';
import { articlePath, imageUrl } from '#shared/urls.ts';
import { newestOf } from './sitemap-xml.ts';
import { element, xmlDocument } from './xml.ts';

/** Width of pictures in feeds, in pixels. */
const PICTURE_WIDTH = 1200;

const MEDIA_RSS = 'http://search.yahoo.com/mrss/';

/** A feed: the newest posts of the site or of a topic. */
export interface Channel {
  title: string;
  /** Path of the page that the feed belongs to. */
  path: string;
  /** Path of the feed itself. */
  self: string;
  posts: readonly PostSummary[];
}

/** Returns RSS 2.0. Links are absolute, from `origin`. */
export function rss({ title, path, self, posts }: Channel, origin: string, site: SiteSettings): string {
  const newest = newestOf(posts.map(({ publishedAt }) => publishedAt));
  return xmlDocument(
    element(
      'rss',
      [
        element('channel', [
          element('title', title),
          element('link', new URL(path, origin).href),
          element('description', site.description),
          element('language', site.language),
          element('copyright', site.copyright),
          ...(newest ? [element('lastBuildDate', new Date(newest).toUTCString())] : []),
          link(new URL(self, origin).href, 'self', 'application/rss+xml', 'atom:link'),
          ...posts.map((post) => item(post, origin)),
        ]),
      ],
      {
        version: '2.0',
        'xmlns:atom': 'http://www.w3.org/2005/Atom',
        'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
        'xmlns:media': MEDIA_RSS,
      },
    ),
  );
}

function item(post: PostSummary, origin: string): string {
  const link = new URL(articlePath(post), origin).href;
  return element('item', [
    element('title', post.title),
    element('link', link),
    element('guid', link, { isPermaLink: 'true' }),
    element('category', post.category),
    ...(post.excerpt ? [element('description', post.excerpt)] : []),
    ...(post.author ? [element('dc:creator', post.author)] : []),
    ...(post.publishedAt ? [element('pubDate', new Date(post.publishedAt).toUTCString())] : []),
    ...picture(post, origin),
  ]);
}

/** Returns the picture of a post, for newsletters that are made of a feed. */
function picture({ image }: PostSummary, origin: string): string[] {
  if (image === null) return [];
  const url = new URL(imageUrl(image, PICTURE_WIDTH), origin).href;
  return [element('media:content', [], { url, medium: 'image' })];
}

/**
 * Returns the posts of the RSS feed as Atom 1.0 (RFC 4287). Links are absolute, from `origin`. Atom requires dates: a post
 * without one gets the oldest of the feed, and a feed without any gets `now` (wall-clock milliseconds).
 */
export function atom(
  { title, path, self, posts }: Channel,
  origin: string,
  site: SiteSettings,
  now: number,
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

/** `name`: of the element; prefixed where the feed is not in Atom's namespace. */
function link(href: string, rel: string, type: string, name = 'link'): string {
  return element(name, [], { href, rel, type });
}

/** Returns the posts of the RSS feed as JSON Feed 1.1. Links are absolute, from `origin`. */
export function jsonFeed({ title, path, self, posts }: Channel, origin: string, site: SiteSettings): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description: site.description,
    home_page_url: new URL(path, origin).href,
    feed_url: new URL(self, origin).href,
    language: site.language,
    items: posts.map((post) => {
      const address = new URL(articlePath(post), origin).href;
      return {
        id: address,
        url: address,
        title: post.title,
        // Each item requires a text.
        content_text: post.excerpt ?? post.title,
        tags: [post.category],
        ...(post.publishedAt && { date_published: post.publishedAt }),
        ...(post.modifiedAt && { date_modified: post.modifiedAt }),
        ...(post.author && { authors: [{ name: post.author }] }),
        ...(post.image && { image: new URL(imageUrl(post.image, PICTURE_WIDTH), origin).href }),
      };
    }),
  });
}

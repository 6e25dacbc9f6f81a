import type { PostSummary } from '#shared/models/post.ts';
import type { SiteSettings } from '#shared/site.ts';
import { articlePath, imageUrl } from '#shared/urls.ts';
import { element, xmlDocument } from './xml.ts';

/** Namespace of pictures in feeds. */
export const MEDIA_RSS = 'http://search.yahoo.com/mrss/';

/** An RSS 2.0 channel: the newest posts of the site or of a topic. */
export interface Channel {
  title: string;
  /** Path of the page that the feed belongs to. */
  path: string;
  /** Path of the feed itself. */
  self: string;
  posts: readonly PostSummary[];
}

/** Returns RSS 2.0. Links are absolute, from `origin`. */
export function rss(
  { title, path, self, posts }: Channel,
  origin: string,
  _now: number,
  site: SiteSettings,
): string {
  const newest = posts
    .map(({ publishedAt }) => publishedAt)
    .filter((date) => date !== null)
    .sort((one, other) => Date.parse(one) - Date.parse(other))
    .at(-1);
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
          element('atom:link', [], {
            href: new URL(self, origin).href,
            rel: 'self',
            type: 'application/rss+xml',
          }),
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

const PICTURE_WIDTH = 1200;

/** Returns the picture of a post, for newsletters that are made of a feed. */
export function picture({ image }: PostSummary, origin: string): string[] {
  if (image === null) return [];
  const url = new URL(imageUrl(image, PICTURE_WIDTH), origin).href;
  return [element('media:content', [], { url, medium: 'image' })];
}

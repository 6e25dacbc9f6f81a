import type { PostSummary } from '#shared/models/post.ts';
import { site } from '#shared/site.ts';
import { articlePath } from '#shared/urls.ts';
import { element, type XmlElement, xmlDocument } from './xml.ts';

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const NEWS = 'http://www.google.com/schemas/sitemap-news/0.9';

/** Search engines take news of two days, a thousand at most. */
const NEWS_AGE_MS = 2 * 86_400_000;
const NEWS_AT_MOST = 1_000;

/** Search engines take 50,000 addresses of one sitemap; a part of a fifth is a quick answer. */
export const POSTS_A_PART = 10_000;

/** An address of the site, and when it last changed. */
export interface SitemapEntry {
  path: string;
  lastModified: string | null;
}

function location(name: string, { path, lastModified }: SitemapEntry, origin: string): XmlElement {
  return element(name, [
    element('loc', new URL(path, origin).href),
    ...(lastModified ? [element('lastmod', lastModified)] : []),
  ]);
}

/** A sitemap: each address once. */
export function sitemap(entries: readonly SitemapEntry[], origin: string): string {
  const unique = [...new Map(entries.map((entry) => [entry.path, entry])).values()];
  return xmlDocument(
    element(
      'urlset',
      unique.map((entry) => location('url', entry, origin)),
      { xmlns: SITEMAP },
    ),
  );
}

/** The list of the sitemaps. */
export function sitemapIndex(parts: readonly SitemapEntry[], origin: string): string {
  return xmlDocument(
    element(
      'sitemapindex',
      parts.map((part) => location('sitemap', part, origin)),
      { xmlns: SITEMAP },
    ),
  );
}

/** The latest of some moments; null where none is known. */
export function newestOf(entries: readonly SitemapEntry[]): string | null {
  return entries.reduce<string | null>(
    (newest, { lastModified }) => (lastModified && lastModified > (newest ?? '') ? lastModified : newest),
    null,
  );
}

/** A news sitemap: what was published in the two days before `now` (milliseconds). */
export function newsSitemap(posts: readonly PostSummary[], origin: string, now: number): string {
  const recent = posts.filter(({ publishedAt }) => {
    const age = publishedAt === null ? Number.NaN : now - Date.parse(publishedAt);
    return age >= 0 && age < NEWS_AGE_MS;
  });
  const unique = [...new Map(recent.map((post) => [articlePath(post), post])).entries()].slice(
    0,
    NEWS_AT_MOST,
  );
  const entries = unique.map(([path, post]) =>
    element('url', [
      element('loc', new URL(path, origin).href),
      element('news:news', [
        element('news:publication', [
          element('news:name', site.name),
          element('news:language', site.language),
        ]),
        element('news:publication_date', post.publishedAt ?? ''),
        element('news:title', post.title),
      ]),
    ]),
  );
  return xmlDocument(element('urlset', entries, { xmlns: SITEMAP, 'xmlns:news': NEWS }));
}

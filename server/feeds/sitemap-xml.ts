import type { PostSummary } from '#shared/models/post.ts';
import type { SiteSettings } from '#shared/site.ts';
import { articlePath } from '#shared/urls.ts';
import { element, xmlDocument } from './xml.ts';

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const NEWS = 'http://www.google.com/schemas/sitemap-news/0.9';

/** News sitemaps hold the news of two days, a thousand URLs at most. */
const NEWS_AGE_MS = 2 * 86_400_000;
const MAX_NEWS_URLS = 1_000;

const MAX_URL_LENGTH = 2_047;

/** A URL of the site, and when it last changed. */
export interface SitemapEntry {
  path: string;
  lastModified: string | null;
}

function location(name: string, { path, lastModified }: SitemapEntry, origin: string): string {
  return element(name, [
    element('loc', new URL(path, origin).href),
    ...(lastModified ? [element('lastmod', lastModified)] : []),
  ]);
}

/** Returns a sitemap with each URL once. */
export function sitemap(entries: readonly SitemapEntry[], origin: string): string {
  const unique = new Map(entries.map((entry) => [entry.path, entry]));
  const short = [...unique.values()].filter(({ path }) => origin.length + path.length <= MAX_URL_LENGTH);
  const urls = short.map((entry) => location('url', entry, origin));
  return xmlDocument(element('urlset', urls, { xmlns: SITEMAP }));
}

/** Returns the sitemap index. */
export function sitemapIndex(parts: readonly SitemapEntry[], origin: string): string {
  const sitemaps = parts.map((part) => location('sitemap', part, origin));
  return xmlDocument(element('sitemapindex', sitemaps, { xmlns: SITEMAP }));
}

/** Returns the latest date; null where there is none. */
export function newestOf(dates: readonly (string | null)[]): string | null {
  const at = (date: string | null) => (date === null ? Number.NEGATIVE_INFINITY : Date.parse(date));
  return dates.reduce((newest, date) => (at(date) > at(newest) ? date : newest), null);
}

/** Returns a news sitemap: what was published in the two days before `now` (wall-clock milliseconds). */
export function newsSitemap(
  posts: readonly PostSummary[],
  origin: string,
  now: number,
  site: SiteSettings,
): string {
  // What was paid for is no news.
  const dated = posts.flatMap((post) =>
    post.publishedAt === null || post.sponsor !== undefined
      ? []
      : [{ post, publishedAt: post.publishedAt, at: Date.parse(post.publishedAt) }],
  );
  const recent = dated.filter(({ at }) => at <= now && now < at + NEWS_AGE_MS);
  const unique = [...new Map(recent.map((item) => [articlePath(item.post), item]))].slice(0, MAX_NEWS_URLS);
  const entries = unique.map(([path, { post, publishedAt }]) =>
    element('url', [
      element('loc', new URL(path, origin).href),
      element('news:news', [
        element('news:publication', [
          element('news:name', site.name),
          element('news:language', site.language),
        ]),
        element('news:publication_date', publishedAt),
        element('news:title', post.title),
      ]),
    ]),
  );
  return xmlDocument(element('urlset', entries, { xmlns: SITEMAP, 'xmlns:news': NEWS }));
}

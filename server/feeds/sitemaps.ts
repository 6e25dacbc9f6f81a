import type { EventSummary } from '#shared/models/event.ts';
import type { PostSummary } from '#shared/models/post.ts';
import type { Category } from '#shared/models/topic.ts';
import { site } from '#shared/site.ts';
import { articlePath, eventPath, tagPath, topicPath } from '#shared/urls.ts';
import { element, type XmlElement, xmlDocument } from './xml.ts';

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const NEWS = 'http://www.google.com/schemas/sitemap-news/0.9';

/** Search engines take news of two days, a thousand at most. */
const NEWS_AGE_MS = 2 * 86_400_000;
const NEWS_AT_MOST = 1_000;

/** What a sitemap lists. */
export interface SitemapContent {
  pages: readonly string[];
  topics: readonly Category[];
  tags: readonly Category[];
  events: readonly EventSummary[];
  posts: readonly PostSummary[];
}

function location(path: string, origin: string, lastModified: string | null = null): XmlElement {
  return element('url', [
    element('loc', new URL(path, origin).href),
    ...(lastModified ? [element('lastmod', lastModified)] : []),
  ]);
}

/** A sitemap: each address once. */
export function sitemap({ pages, topics, tags, events, posts }: SitemapContent, origin: string): string {
  const articles = new Map(posts.map((post) => [articlePath(post), post.publishedAt]));
  return xmlDocument(
    element(
      'urlset',
      [
        ...pages.map((path) => location(path, origin)),
        ...topics.map(({ slug }) => location(topicPath(slug), origin)),
        ...tags.map(({ slug }) => location(tagPath(slug), origin)),
        ...events.map(({ slug }) => location(eventPath(slug), origin)),
        ...[...articles].map(([path, date]) => location(path, origin, date)),
      ],
      { xmlns: SITEMAP },
    ),
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

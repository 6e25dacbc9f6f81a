import type {
  ImageObject,
  NewsArticle,
  Organization,
  Person,
  SocialMediaPosting,
  Thing,
  VideoObject,
} from 'schema-dts';
import { sectionName } from '#client/components/post-card/section-name.ts';
import { embedUrl } from '#client/components/video/video-url.ts';
import type { Article, ArticlePage } from '#shared/models/article.ts';
import type { SiteSettings } from '#shared/site.ts';
import { articlePath, imageUrl, topicPath } from '#shared/urls.ts';
import { breadcrumbs } from './breadcrumbs.ts';
import { organizationId } from './site-graph.ts';

/** Returns the structured data of an article: news article, social posting, image, video, author and breadcrumbs. */
export function articleGraph({ article, author }: ArticlePage, origin: string, site: SiteSettings): Thing[] {
  const url = new URL(articlePath(article), origin).href;
  const writer = writerOf(article, author, url, origin);
  const image = imageOf(article, url, origin);
  const video = videoOf(article, url, origin);
  const common = {
    headline: article.title,
    url,
    mainEntityOfPage: url,
    publisher: { '@id': organizationId(origin) },
    // Google requires an author: the publisher where the post has none.
    author: writer ?? { '@id': organizationId(origin) },
    ...(article.publishedAt && { datePublished: article.publishedAt }),
    ...(article.modifiedAt && { dateModified: article.modifiedAt }),
    ...(article.description && { description: article.description }),
    ...(image && { image: { '@id': `${url}#image` } }),
    ...(video && { video: { '@id': `${url}#video` } }),
  };
  const news: NewsArticle = {
    '@type': 'NewsArticle',
    '@id': `${url}#article`,
    ...common,
    articleSection: sectionName(site, article.category),
    isAccessibleForFree: true,
    ...(article.keywords.length > 0 && { keywords: article.keywords.join(', ') }),
    ...(article.readingMinutes !== null && { timeRequired: `PT${article.readingMinutes}M` }),
  };
  const posting: SocialMediaPosting = { '@type': 'SocialMediaPosting', '@id': `${url}#posting`, ...common };
  const trail = breadcrumbs(origin, site, [
    { name: sectionName(site, article.category), path: topicPath(article.category) },
    { name: article.title, path: articlePath(article) },
  ]);
  return [news, posting, ...(image ? [image] : []), ...(video ? [video] : []), trail];
}

/** A byline of several people: `Newsroom Desk`, `The Editors`. */
const DESK = /\b(desk|editors|editorial|newsroom|redaction|staff|team)\b/i;

/** Returns the author: a person, or a desk as an organization. Without an address of its own, that of the box about it. */
function writerOf(
  { author: name, authorUrl }: Article,
  author: ArticlePage['author'],
  url: string,
  origin: string,
): Person | Organization | null {
  if (name === null) return null;
  const address = authorUrl ?? (author && `${url}#author`);
  return {
    '@type': DESK.test(name) ? 'Organization' : 'Person',
    name,
    ...(address && { url: address }),
    ...(author?.description && { description: author.description }),
    ...(author?.photo && { image: absoluteImage(author.photo, 500, origin) }),
  };
}

function absoluteImage(image: string, width: number, origin: string): string {
  return new URL(imageUrl(image, width), origin).href;
}

function imageOf({ image, title }: Article, url: string, origin: string): ImageObject | null {
  if (image === null) return null;
  const imageHref = absoluteImage(image, 1200, origin);
  return {
    '@type': 'ImageObject',
    '@id': `${url}#image`,
    url: imageHref,
    contentUrl: imageHref,
    caption: title,
  };
}

function videoOf(
  { video, title, description, publishedAt, image }: Article,
  url: string,
  origin: string,
): VideoObject | null {
  if (!video) return null;
  return {
    '@type': 'VideoObject',
    '@id': `${url}#video`,
    name: title,
    description: description ?? title,
    embedUrl: embedUrl(video),
    ...(publishedAt && { uploadDate: publishedAt }),
    ...(image && { thumbnailUrl: absoluteImage(image, 1200, origin) }),
  };
}

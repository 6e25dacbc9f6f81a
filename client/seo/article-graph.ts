import type { ImageObject, NewsArticle, SocialMediaPosting, Thing, VideoObject } from 'schema-dts';
import { embedUrl } from '#client/components/video/video-url.ts';
import type { Article, ArticlePage } from '#shared/models/article.ts';
import { type SiteSettings, sectionName } from '#shared/site.ts';
import { articlePath, authorPath, topicPath } from '#shared/urls.ts';
import { writer } from './list-graphs.ts';
import { absoluteImage, breadcrumbs, organizationId } from './site-graph.ts';

/** Returns the structured data of an article: news article, social posting, image, video, author and breadcrumbs. */
export function articleGraph(page: ArticlePage, origin: string, site: SiteSettings): Thing[] {
  const { article } = page;
  const url = new URL(articlePath(article), origin).href;
  const author = authorOf(page, url, origin);
  const image = imageOf(article, url, origin);
  const video = videoOf(article, url, origin);
  const common = {
    headline: article.title,
    url,
    mainEntityOfPage: url,
    publisher: { '@id': organizationId(origin) },
    // Google requires an author: the publisher where the post has none.
    author: author ?? { '@id': organizationId(origin) },
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
    articleSection: sectionName(site, article),
    isAccessibleForFree: true,
    ...(article.keywords.length > 0 && { keywords: article.keywords.join(', ') }),
    ...(article.readingMinutes !== null && { timeRequired: `PT${article.readingMinutes}M` }),
  };
  const posting: SocialMediaPosting = { '@type': 'SocialMediaPosting', '@id': `${url}#posting`, ...common };
  const trail = breadcrumbs(origin, site, [
    { name: sectionName(site, article), path: topicPath(article.category) },
    { name: article.title, path: articlePath(article) },
  ]);
  return [news, posting, ...(image ? [image] : []), ...(video ? [video] : []), trail];
}

/** Returns the author, with the address of their own page, of ours, or of the box about them; null for a post without one. */
function authorOf({ article, author, authorPage }: ArticlePage, url: string, origin: string) {
  const { author: name, authorUrl } = article;
  if (name === null) return null;
  const page = authorPage !== null && new URL(authorPath(authorPage), origin).href;
  const address = authorUrl ?? (page || (author && `${url}#author`));
  return writer({ description: null, photo: null, ...author, name }, address, origin);
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

import type { SiteSettings } from '#shared/site.ts';
import { articlePath, imageUrl } from '#shared/urls.ts';
import type { Channel } from './rss.ts';

const IMAGE_WIDTH = 1200;

/** Returns the posts of the RSS feed as JSON Feed 1.1. Links are absolute, from `origin`. */
export function jsonFeed(
  { title, path, self, posts }: Channel,
  origin: string,
  _now: number,
  site: SiteSettings,
): string {
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
        ...(post.image && { image: new URL(imageUrl(post.image, IMAGE_WIDTH), origin).href }),
      };
    }),
  });
}

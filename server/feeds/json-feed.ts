import { site } from '#shared/site.ts';
import { articlePath, imageUrl } from '#shared/urls.ts';
import type { Channel } from './rss.ts';

const IMAGE_WIDTH = 1200;

/** JSON Feed 1.1 of the same posts as the RSS feed. All links are absolute, from `origin`. */
export function jsonFeed({ title, path, self, posts }: Channel, origin: string): string {
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
        // The format wants a text of each item.
        content_text: post.excerpt ?? post.title,
        tags: [post.category],
        ...(post.publishedAt && { date_published: post.publishedAt }),
        ...(post.author && { authors: [{ name: post.author }] }),
        ...(post.image && { image: new URL(imageUrl(post.image, IMAGE_WIDTH), origin).href }),
      };
    }),
  });
}

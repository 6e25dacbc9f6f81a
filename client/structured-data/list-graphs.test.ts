import { describe, expect, it } from 'vitest';
import type { PostSummary } from '#shared/models/post.ts';
import { tagGraph, topicGraph } from './list-graphs.ts';

const origin = 'https://www.example.com';

const post: PostSummary = {
  id: '1',
  category: 'news',
  slug: 'a-story',
  title: 'A story',
  excerpt: null,
  author: null,
  publishedAt: null,
  image: null,
  readingMinutes: null,
  hasVideo: false,
};

const topic = {
  category: 'news',
  subcategory: 'customer-data',
  posts: [post],
  pagination: { page: 1, limit: 10, totalItems: 1, totalPages: 1 },
  subcategories: [],
  ads: [],
};

describe('topicGraph', () => {
  it('names the way from the home page over the category to the sub-category, and the posts', () => {
    expect(topicGraph(topic, origin)).toEqual([
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          expect.objectContaining({ position: 1, item: `${origin}/` }),
          expect.objectContaining({ position: 2, name: 'News', item: `${origin}/topic/news` }),
          expect.objectContaining({ position: 3, item: `${origin}/topic/news/customer-data` }),
        ],
      },
      {
        '@type': 'ItemList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, name: 'A story', url: `${origin}/news/a-story` },
        ],
      },
    ]);
  });

  it('ends at the category where there is no sub-category', () => {
    const [way] = topicGraph({ ...topic, subcategory: null }, origin);
    expect(way).toHaveProperty('itemListElement.length', 2);
  });
});

describe('tagGraph', () => {
  it('names the way from the home page to the tag', () => {
    const lists = {
      news: [],
      articles: [],
      quickBytes: [],
      podcasts: [],
      hotSeats: [],
      futureReady: [],
      guestAuthors: [],
      learningCenter: [],
    };
    expect(tagGraph({ subcategory: 'analytics', ...lists, ads: [] }, origin)).toMatchObject([
      { itemListElement: [{ position: 1 }, { name: 'Analytics', item: `${origin}/tag/analytics` }] },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import type { TagPage } from '#shared/models/tag.ts';
import type { TopicPage } from '#shared/models/topic.ts';
import { defaultSite } from '#shared/site.ts';
import { tagGraph, topicGraph } from './list-graphs.ts';

const origin = 'https://www.example.com';

const topic: TopicPage = {
  category: 'news',
  subcategory: 'customer-data',
  posts: [],
  pagination: { page: 1, limit: 10, totalItems: 0, totalPages: 0 },
  subcategories: [],
  ads: [],
};

const tag: TagPage = {
  subcategory: 'analytics',
  name: 'Customer data',
  isKnown: true,
  news: [],
  articles: [],
  quickBytes: [],
  podcasts: [],
  hotSeats: [],
  futureReady: [],
  guestAuthors: [],
  learningCenter: [],
  ads: [],
};

describe('topicGraph', () => {
  it('lists home page, category and sub-category', () => {
    expect(topicGraph(topic, origin, defaultSite)).toMatchObject([
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { position: 1, item: `${origin}/` },
          { position: 2, name: 'News', item: `${origin}/topic/news` },
          { position: 3, item: `${origin}/topic/news/customer-data` },
        ],
      },
    ]);
  });

  it('ends at the category where there is no sub-category', () => {
    const [trail] = topicGraph({ ...topic, subcategory: null }, origin, defaultSite);
    expect(trail).toHaveProperty('itemListElement.length', 2);
  });
});

describe('tagGraph', () => {
  it('lists home page and tag', () => {
    expect(tagGraph(tag, origin, defaultSite)).toMatchObject([
      { itemListElement: [{ position: 1 }, { name: 'Analytics', item: `${origin}/tag/analytics` }] },
    ]);
  });

  it('is empty for a tag that the upstream does not know', () => {
    expect(tagGraph({ ...tag, isKnown: false }, origin, defaultSite)).toEqual([]);
  });
});

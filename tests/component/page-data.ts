import type { Advertisement } from '#shared/models/advertisement.ts';
import type { ArticlePage } from '#shared/models/article.ts';
import type { EventPage, EventSummary } from '#shared/models/event.ts';
import type { Home } from '#shared/models/home.ts';
import type { Navigation } from '#shared/models/navigation.ts';
import type { PostSummary } from '#shared/models/post.ts';
import type { TagPage } from '#shared/models/tag.ts';
import type { SearchPage, TopicPage } from '#shared/models/topic.ts';
import { postSummary } from '../fixtures/post-summary.ts';

/** Data of pages, with defaults for whatever a test does not give. Posts have no image: nothing is loaded. */

/** Returns posts with the slugs `{name}-1`, `{name}-2` and so on. */
export function posts(count: number, name = 'post'): PostSummary[] {
  return Array.from({ length: count }, (_, index) => postSummary({ slug: `${name}-${index + 1}` }));
}

/** Returns events with the numbers `from` to `to`. */
export function events(from: number, to: number): EventSummary[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    id: String(from + index),
    slug: `event-${from + index}`,
    title: `Event ${from + index}`,
    banner: null,
    location: 'Lisbon',
    date: '2026-03-04T10:00:00.000Z',
    description: 'What it is about.',
  }));
}

/** Returns an advertisement in one of its slots. */
export function advertisement(ad: Pick<Advertisement, 'slot'> & Partial<Advertisement>): Advertisement {
  return { image: '/media/ad.svg', name: 'An advertisement', href: null, seconds: 5, ...ad };
}

/** Menus with three posts in each column. */
export const MENUS: Navigation = {
  menus: [
    {
      name: 'Latest',
      failed: false,
      columns: [
        { title: 'News', category: 'news', items: posts(3, 'news') },
        { title: 'Quick Bytes', category: 'quickbytes', items: posts(3, 'byte') },
      ],
    },
    {
      name: 'Leadership',
      failed: true,
      columns: [{ title: 'Podcasts', category: 'podcasts', items: [] }],
    },
    {
      name: 'Features',
      failed: false,
      columns: [{ title: 'Articles', category: 'featured', items: posts(3, 'article') }],
    },
  ],
};

export function homeData(home: Partial<Home> = {}): Home {
  return {
    top: posts(3, 'top'),
    sidebar: { latest: posts(3, 'latest'), popular: posts(3, 'popular') },
    sections: {
      podcasts: posts(3, 'podcast'),
      'guest-author': posts(5, 'guest'),
      quickbytes: posts(6, 'byte'),
      featured: posts(3, 'article'),
    },
    ads: [],
    ...home,
  };
}

export function tagData(tag: Partial<TagPage> = {}): TagPage {
  return {
    subcategory: 'customer-data',
    name: 'Customer data',
    isKnown: true,
    news: posts(3, 'news'),
    articles: posts(9, 'article'),
    quickBytes: posts(3, 'byte'),
    podcasts: posts(3, 'podcast'),
    hotSeats: posts(4, 'hot-seat'),
    futureReady: posts(2, 'future'),
    guestAuthors: posts(5, 'guest'),
    learningCenter: posts(3, 'lesson'),
    ads: [],
    ...tag,
  };
}

export function topicData(topic: Partial<TopicPage> = {}): TopicPage {
  const found = topic.posts ?? posts(12);
  return {
    category: 'news',
    subcategory: null,
    posts: found,
    pagination: { page: 1, limit: 12, totalItems: found.length, totalPages: 1 },
    subcategories: [],
    ads: [],
    ...topic,
  };
}

export function searchData(search: Partial<SearchPage> = {}): SearchPage {
  const found = search.posts ?? posts(12);
  return {
    category: 'all',
    term: 'consent',
    posts: found,
    pagination: { page: 1, limit: 100, totalItems: found.length, totalPages: 1 },
    categories: [{ slug: 'news', name: 'News' }],
    ads: [],
    ...search,
  };
}

/** Returns an article of `/news/post-1` that is longer than a window. */
export function articleData(article: Partial<ArticlePage['article']> = {}): ArticlePage {
  const sections = ['one', 'two', 'three', 'four'];
  const text = `<p>${'What changed, and what it costs. '.repeat(60)}</p>`;
  return {
    article: {
      id: '1',
      category: 'news',
      slug: 'post-1',
      title: 'Post 1',
      author: 'Ada Quill',
      publishedAt: '2026-01-05T10:20:30.000Z',
      modifiedAt: null,
      description: null,
      deck: null,
      keywords: [],
      image: null,
      banner: null,
      video: null,
      readingMinutes: 4,
      bodyHtml: sections.map((id) => `<h2 id="${id}">Part ${id}</h2>${text}`).join(''),
      headings: sections.map((id, index) => ({
        id,
        text: `Part ${id}`,
        level: 2,
        number: `${index + 1}.`,
      })),
      ...article,
    },
    author: null,
    authorPage: null,
    latest: posts(3, 'latest'),
    related: posts(3, 'related'),
    ads: [],
  };
}

export function eventData(event: Partial<EventPage['event']> = {}): EventPage {
  return {
    event: {
      id: '1',
      slug: 'event-1',
      title: 'Event 1',
      banner: null,
      location: 'Lisbon',
      date: '2026-03-04T10:00:00.000Z',
      endDate: null,
      descriptionHtml: '<p>What it is about.</p>',
      summary: 'What it is about.',
      link: null,
      video: null,
      ...event,
    },
    sidebar: { latest: posts(3, 'latest'), popular: posts(3, 'popular') },
    ads: [],
  };
}

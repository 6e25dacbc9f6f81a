import { type AdvertisementEntry, type Content, type EventEntry, NO_CONTENT } from './load-content.ts';
import type { PostEntry } from './read-post-file.ts';

/** Small content with every kind of entity, for tests that must not depend on the demo's content. */

const CATEGORIES = [
  'news',
  'quickbytes',
  'podcasts',
  'interview',
  'future-ready',
  'guest-author',
  'featured',
  'learning-center',
];
const SUBCATEGORIES = ['analytics', 'commerce', 'customer-data'];
const POSTS_A_CATEGORY = 13;
const EVENTS = 26;

/** Returns 13 posts in each of the eight categories, 26 events before and after today, an ad for each slot. */
export function sampleContent(overrides: Partial<Content> = {}): Content {
  return {
    ...NO_CONTENT,
    posts: CATEGORIES.flatMap((category) =>
      Array.from({ length: POSTS_A_CATEGORY }, (_, index) => samplePost({ category }, index)),
    ),
    authors: [
      { key: 'ada-quill', name: 'Ada Quill', description: 'Writes about data.', photo: true },
      { key: 'desk', name: 'The Desk', description: 'Short news.', photo: false },
    ],
    events: Array.from({ length: EVENTS }, (_, index) => sampleEvent(index)),
    advertisements: (['Post-1', 'Home-2', 'Footer-3'] as const).map(sampleAdvertisement),
    categories: CATEGORIES.map((slug) => ({ slug, name: slug.toUpperCase() })),
    subcategories: SUBCATEGORIES.map((slug) => ({ slug, name: slug.toUpperCase() })),
    ...overrides,
  };
}

/** Returns a post; `index` sets its age in days and everything that is not given. */
export function samplePost(given: Partial<PostEntry>, index = 0): PostEntry {
  const category = given.category ?? 'news';
  return {
    category,
    slug: `${category}-piece-${index}`,
    title: `Piece ${index} of ${category}`,
    subcategories: [SUBCATEGORIES[index % SUBCATEGORIES.length] ?? 'analytics'],
    author: index % 2 === 0 ? 'ada-quill' : 'desk',
    daysAgo: index,
    at: '08:30',
    deck: `What piece ${index} is about.`,
    keywords: ['ledger', 'consent'],
    bannerShow: index % 5 !== 4,
    podcast: category === 'podcasts' ? `https://www.youtube.com/watch?v=abcdefgh${100 + index}` : null,
    bodyHtml: '<h2>A heading</h2><p>A body.</p>',
    figures: 0,
    ...given,
  };
}

function sampleEvent(index: number): EventEntry {
  return {
    slug: `event-${index}`,
    title: `Event ${index}`,
    inDays: index - 10,
    days: 1,
    location: 'Lisbon',
    link: 'https://events.example.com/',
    podcast: null,
    bannerShow: true,
    descriptionHtml: '<p>Come and see.</p>',
  };
}

function sampleAdvertisement(slot: AdvertisementEntry['slot']): AdvertisementEntry {
  return {
    slot,
    key: `ad-${slot.toLowerCase()}`,
    advertiser: 'Quillon',
    headline: 'Know the reader',
    line: 'Without asking twice.',
    callToAction: 'See how',
    destination: 'https://quillon.example.com/',
    seconds: slot === 'Home-2' ? 7 : null,
  };
}

import { expect, test } from 'vitest';
import {
  advertisement,
  articleData,
  homeData,
  searchData,
  tagData,
  topicData,
} from '../../tests/component/page-data.ts';
import { renderPage } from '../../tests/component/render-page.tsx';
import { scrollTo } from '../../tests/component/scroll-to.ts';
import { NAVIGATION, stubApi } from '../../tests/component/stub-api.ts';

interface Effect {
  what: string;
  path: string;
  elements: string;
  count: number;
  stepMs: number;
  /** Pixels of scrolling that start it; absent: it starts when the page is rendered. */
  threshold?: number;
}

const EFFECTS: Effect[] = [
  { what: 'the footer', path: '/about', elements: 'footer .loaded', count: 5, stepMs: 150, threshold: 100 },
  { what: 'the home page', path: '/', elements: 'main .loaded', count: 5, stepMs: 150, threshold: 10 },
  {
    what: 'the tag page’s heading',
    path: '/tag/customer-data',
    elements: '.tag-heading.loaded',
    count: 1,
    stepMs: 150,
    threshold: 100,
  },
  {
    what: 'the tag page’s banners',
    path: '/tag/customer-data',
    elements: '.tag-banner.loaded',
    count: 2,
    stepMs: 70,
    threshold: 100,
  },
  {
    what: 'the topic page',
    path: '/topic/news',
    elements: '.topic-list.loaded, .topic-banner.loaded',
    count: 2,
    stepMs: 150,
    threshold: 100,
  },
  {
    what: 'the article page (loaded1)',
    path: '/news/post-1',
    elements: '.loaded1',
    count: 3,
    stepMs: 70,
    threshold: 100,
  },
  {
    what: 'the topic page',
    path: '/topic/news',
    elements: '.topic > .loaded, .topic-large > .loaded',
    count: 5,
    stepMs: 40,
  },
  { what: 'the search page', path: '/search/all/consent', elements: 'main .loaded', count: 5, stepMs: 40 },
];

const ads = [advertisement({ slot: 'Footer-3' })];
const RESPONSES = {
  ...NAVIGATION,
  'GET /api/home': () => Response.json(homeData({ ads })),
  'GET /api/tags/customer-data': () => Response.json(tagData({ ads })),
  'GET /api/topics/news': () => Response.json(topicData({ ads })),
  'GET /api/articles/news/post-1': () => Response.json(articleData()),
  'GET /api/search/all/consent': () => Response.json(searchData()),
};

for (const { what, path, elements, count, stepMs, threshold } of EFFECTS) {
  const start = threshold === undefined ? 'when it is rendered' : `after ${threshold} pixels of scrolling`;
  test(`${what} takes its loaded steps ${start}, each after ${stepMs} ms times its number`, async () => {
    stubApi(RESPONSES);
    await renderPage(path);
    const loaded = () => [...document.querySelectorAll(elements)];
    if (threshold !== undefined) {
      await scrollTo(threshold);
      expect(loaded()).toEqual([]);
      await scrollTo(threshold + 1);
    }
    await expect.poll(loaded).toHaveLength(count);
    const animations = loaded().map((element) => {
      const { animationName, animationDelay, opacity } = getComputedStyle(element);
      return `${animationName} ${Math.round(Number.parseFloat(animationDelay) * 1_000)} ${opacity}`;
    });
    const steps = Array.from({ length: count }, (_, index) => `rise ${stepMs * (index + 1)} 1`);
    expect(animations.sort()).toEqual(steps.sort());
  });
}

import { expect, test } from './fixtures.ts';
import { scrollTo } from './scroll-to.ts';

interface Effect {
  what: string;
  path: string;
  elements: string;
  count: number;
  stepMs: number;
  /** Pixels of scrolling that start it; absent: it starts when the page is rendered. */
  threshold?: number;
  className?: string;
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
    path: '/news/apology-loop-two-million-emails',
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

for (const { what, path, elements, count, stepMs, threshold } of EFFECTS) {
  const start = threshold === undefined ? 'when it is rendered' : `after ${threshold} pixels of scrolling`;
  test(`${what} takes its loaded steps ${start}, each after ${stepMs} ms times its number`, async ({
    page,
  }) => {
    await page.goto(path);
    const loaded = page.locator(elements);
    if (threshold !== undefined) {
      await scrollTo(page, threshold);
      await expect(loaded).toHaveCount(0);
      await scrollTo(page, threshold + 1);
    }
    await expect(loaded).toHaveCount(count);
    const animations = await loaded.evaluateAll((all) =>
      all.map((element) => {
        const { animationName, animationDelay, opacity } = getComputedStyle(element);
        return `${animationName} ${Math.round(Number.parseFloat(animationDelay) * 1_000)} ${opacity}`;
      }),
    );
    const steps = Array.from({ length: count }, (_, index) => `rise ${stepMs * (index + 1)} 1`);
    expect(animations.sort()).toEqual(steps.sort());
  });
}

import { describe, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  articleData,
  eventData,
  events,
  homeData,
  MENUS,
  searchData,
  tagData,
  topicData,
} from '../../tests/component/page-data.ts';
import { renderPage } from '../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../tests/component/stub-api.ts';

/** The mark stands at the left of a text that runs from right to left. */
const TEXT = 'مرحبا بالعالم!';
const TEXT_FIELDS = new Set([
  'author',
  'description',
  'excerpt',
  'location',
  'name',
  'term',
  'text',
  'title',
]);
const OWN_NAMES = new Set(
  MENUS.menus.flatMap(({ name, columns }) => [name, ...columns.map(({ title }) => title)]),
);
const SUBCATEGORIES = [{ slug: 'one', name: 'One' }];
const AUTHOR = { name: 'Ada Quill', description: 'Writes.', photo: null };

/** Returns the response with `TEXT` for each text of the upstream. Menus and their columns have names of our own. */
const translated = (data: unknown) =>
  Response.json(
    JSON.parse(
      JSON.stringify(data, (key, value) =>
        typeof value === 'string' && TEXT_FIELDS.has(key) && !OWN_NAMES.has(value) ? TEXT : value,
      ),
    ),
  );

const PAGES = {
  '/': { api: '/api/home', data: homeData() },
  '/topic/news': { api: '/api/topics/news', data: topicData({ subcategories: SUBCATEGORIES }) },
  '/tag/customer-data': { api: '/api/tags/customer-data', data: tagData() },
  '/search/all/consent': { api: '/api/search/all/consent', data: searchData({ categories: SUBCATEGORIES }) },
  '/events': {
    api: '/api/events',
    data: { tab: 'all', events: events(1, 3), pagination: { page: 1, totalPages: 1 } },
  },
  '/events/event-1': { api: '/api/events/event-1', data: eventData() },
  '/news/post-1': { api: '/api/articles/news/post-1', data: { ...articleData(), author: AUTHOR } },
  '/sitemap': { api: '/api/sitemap', data: { sections: [], subcategories: SUBCATEGORIES, failure: null } },
};

test.each(['ltr', 'rtl'])(
  'the skip link stands where a line begins, in a document that runs %s',
  async (dir) => {
    document.documentElement.dir = dir;
    onTestFinished(() => document.documentElement.removeAttribute('dir'));
    stubApi(NAVIGATION);
    await renderPage('/about');
    const skip = page.getByRole('link', { name: 'Skip to the main text' }).element().getBoundingClientRect();
    expect(dir === 'ltr' ? skip.left : innerWidth - skip.right).toBe(0);
  },
);

test('the number of a telephone begins at the left, in a document that runs rtl', async () => {
  document.documentElement.dir = 'rtl';
  onTestFinished(() => document.documentElement.removeAttribute('dir'));
  stubApi(NAVIGATION);
  await renderPage('/contact-us');
  const number = document.querySelector('[href^="tel:"]')?.firstChild;
  if (!(number instanceof Text)) throw new Error('The page has no number');
  const positionOf = (index: number) => {
    const range = document.createRange();
    range.setStart(number, index);
    range.setEnd(number, index + 1);
    return range.getBoundingClientRect().left;
  };
  expect(number.data).toMatch(/^\+/);
  expect(positionOf(0)).toBeLessThan(positionOf(number.length - 1));
});

test.each([
  ['ltr', 'The end.', true],
  ['ltr', TEXT, false],
  ['rtl', 'The end.', false],
  ['rtl', TEXT, true],
])(
  'a wide picture leaves the sidebar free, in a document that runs %s, in "%s"',
  async (dir, text, isWider) => {
    document.documentElement.dir = dir;
    onTestFinished(() => document.documentElement.removeAttribute('dir'));
    const bodyHtml = `<p>${text}</p><figure class="b-wide"><div style="height: 90px"></div></figure>`;
    stubApi({
      ...NAVIGATION,
      'GET /api/articles/news/post-1': () => Response.json(articleData({ bodyHtml })),
    });
    await page.viewport(1280, 900);
    await renderPage('/news/post-1');
    const figure = page.getByRole('figure').element().getBoundingClientRect();
    const column = document.querySelector('.article-text')?.getBoundingClientRect() ?? new DOMRect();
    const beyond = { left: column.left - figure.left, right: figure.right - column.right };
    const [before, after] = dir === 'ltr' ? [beyond.left, beyond.right] : [beyond.right, beyond.left];
    expect(after).toBeLessThanOrEqual(0);
    expect(before > 0).toBe(isWider);
  },
);

describe('texts of the upstream', () => {
  test.each(Object.entries(PAGES))('have a direction of their own at %s', async (path, { api, data }) => {
    stubApi({
      'GET /api/navigation': () => translated(MENUS),
      [`GET ${api}`]: () => translated(data),
    });
    await renderPage(path);
    expect(directionsOf(page.getByRole('main').element())).not.toEqual([]);
    const directions = directionsOf(document.body);
    expect(directions.filter((one) => !one.startsWith('rtl'))).toEqual([]);
  });
});

/** Returns the direction and the markup of each innermost element whose text begins with `TEXT`. */
function directionsOf(root: Element): string[] {
  const begins = (element: Element) => element.textContent.startsWith(TEXT);
  return Array.from(root.querySelectorAll('*'))
    .filter((element) => begins(element) && !Array.from(element.children).some(begins))
    .filter((element) => !element.closest('.visually-hidden'))
    .map((element) => `${getComputedStyle(element).direction} ${element.outerHTML}`);
}

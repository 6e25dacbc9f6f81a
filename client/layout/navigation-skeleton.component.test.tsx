import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AuthorPage } from '#shared/models/author.ts';
import { fakeClock, passTime } from '../../tests/component/fake-clock.ts';
import { articleData, eventData, homeData, tagData, topicData } from '../../tests/component/page-data.ts';
import { renderPage } from '../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../tests/component/stub-api.ts';

interface SlowPage {
  path: string;
  api: string;
  data: unknown;
}

/** Renders the home page and navigates to a page whose response `respond` sends. */
async function navigateSlowly({ path, api, data }: SlowPage): Promise<{ respond: () => void }> {
  const { promise: response, resolve } = Promise.withResolvers<Response>();
  const requests = stubApi({
    ...NAVIGATION,
    'GET /api/home': () => Response.json(homeData()),
    [api]: () => response,
  });
  const router = await renderPage('/');
  fakeClock();
  void router.navigate(path);
  await expect.poll(() => requests).toContain(api);
  expect(progressLine()).not.toBeNull();
  return { respond: () => resolve(Response.json(data)) };
}

const ofHome = page.getByRole('heading', { level: 1, name: 'Latest' });
const ofNext = page.getByRole('heading', { level: 1, name: 'The next page' });
const skeleton = () => document.querySelector('.navigation-skeleton');
const progressLine = () => document.querySelector('.navigation-progress');

test.each([
  {
    what: 'an article',
    path: '/news/post-1',
    api: 'GET /api/articles/news/post-1',
    data: articleData({ title: 'The next page' }),
  },
  {
    what: 'an event',
    path: '/events/event-1',
    api: 'GET /api/events/event-1',
    data: eventData({ title: 'The next page' }),
  },
])(
  'covers the page with the shape of $what that takes 400 ms, down to the end of the window',
  async (slow) => {
    const { respond } = await navigateSlowly(slow);
    passTime(399);
    await expect.element(ofHome).toBeVisible();
    expect(skeleton()).toBeNull();
    passTime(1);
    await expect.poll(skeleton).not.toBeNull();
    expect(document.querySelector('#main > [inert] h1')?.textContent).toBe('Latest');
    const { top = 0, bottom = 0 } = skeleton()?.getBoundingClientRect() ?? {};
    const header = document.querySelector('.header')?.getBoundingClientRect();
    expect(top).toBe(header?.bottom);
    expect(bottom).toBeGreaterThanOrEqual(innerHeight);
    respond();
    await expect.element(ofNext).toBeVisible();
    expect(skeleton()).toBeNull();
    expect(progressLine()).toBeNull();
  },
);

test.each([
  {
    path: '/topic/news',
    api: 'GET /api/topics/news',
    data: topicData({ category: 'The next page' }),
  },
  {
    path: '/tag/customer-data',
    api: 'GET /api/tags/customer-data',
    data: tagData({ subcategory: 'The next page' }),
  },
  {
    path: '/author/1',
    api: 'GET /api/authors/1',
    data: {
      id: '1',
      author: { name: 'The next page', description: null, photo: null },
      posts: [],
      pagination: { page: 1, totalPages: 0 },
      ads: [],
    } satisfies AuthorPage,
  },
])('leaves the page in view, below a line, until a slow list is there: $path', async (slow) => {
  const { respond } = await navigateSlowly(slow);
  passTime(5_000);
  await expect.element(ofHome).toBeVisible();
  expect(skeleton()).toBeNull();
  expect(progressLine()).not.toBeNull();
  respond();
  await expect.element(ofNext).toBeVisible();
  expect(progressLine()).toBeNull();
});

test('says that a page could not be loaded where there is no response for ten seconds', async () => {
  await navigateSlowly({ path: '/topic/news', api: 'GET /api/topics/news', data: topicData() });
  passTime(10_000);
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }))
    .toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Try again' })).toBeVisible();
  await expect.element(page.getByText('No Posts Available')).not.toBeInTheDocument();
});

test('a second navigation supersedes the first, whose request is cancelled', async () => {
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  const requests = stubApi({
    ...NAVIGATION,
    'GET /api/home': () => Response.json(homeData()),
    'GET /api/articles/news/top-1': ({ signal }) => {
      signal.addEventListener('abort', () => cancel());
      return new Promise(() => undefined);
    },
    'GET /api/topics/news': () => Response.json(topicData({ category: 'The next page' })),
  });
  const router = await renderPage('/');
  void router.navigate('/news/top-1');
  await expect.poll(() => requests).toContain('GET /api/articles/news/top-1');
  void router.navigate('/topic/news');
  await cancelled;
  await expect.element(ofNext).toBeVisible();
});

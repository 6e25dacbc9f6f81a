import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { fakeClock, passTime } from '../../tests/component/fake-clock.ts';
import { articleData, eventData, homeData, topicData } from '../../tests/component/page-data.ts';
import { renderPage } from '../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../tests/component/stub-api.ts';

test.each([
  {
    what: 'an article',
    skeleton: '.skeleton-article',
    path: '/news/top-1',
    api: 'GET /api/articles/news/top-1',
    data: articleData({ title: 'The next page' }),
  },
  {
    what: 'an event',
    skeleton: '.skeleton-article',
    path: '/events/event-1',
    api: 'GET /api/events/event-1',
    data: eventData({ title: 'The next page' }),
  },
  {
    what: 'a list',
    skeleton: '.skeleton-list',
    path: '/topic/news',
    api: 'GET /api/topics/news',
    data: topicData({ category: 'The next page' }),
  },
])('shows the shape of $what while a slow one is on its way', async ({ skeleton, path, api, data }) => {
  const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
  stubApi({
    ...NAVIGATION,
    'GET /api/home': () => Response.json(homeData()),
    [api]: () => response,
  });
  const router = await renderPage('/');
  fakeClock();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  void router.navigate(path);
  // Other timers may begin meanwhile: the carousel's, once it is seen.
  await expect.poll(() => timers.mock.calls.map(([, ms]) => ms)).toContain(200);
  timers.mockRestore();
  const latest = page.getByRole('heading', { level: 1, name: 'Latest' });
  passTime(199);
  await expect.element(latest).toBeVisible();
  expect(document.querySelector(skeleton)).toBeNull();
  passTime(1);
  await expect.poll(() => document.querySelector(skeleton)).not.toBeNull();
  await expect.element(latest).not.toBeInTheDocument();
  respond(Response.json(data));
  await expect.element(page.getByRole('heading', { level: 1, name: 'The next page' })).toBeVisible();
  expect(document.querySelector('.skeleton')).toBeNull();
});

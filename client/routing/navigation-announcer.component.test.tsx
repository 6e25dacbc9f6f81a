import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { fakeClock, passTime } from '../../tests/component/fake-clock.ts';
import { homeData, topicData } from '../../tests/component/page-data.ts';
import { renderPage } from '../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../tests/component/stub-api.ts';

const announced = () =>
  page
    .getByRole('status')
    .elements()
    .flatMap(({ textContent }) => textContent || []);

test('announces that a page loads after a second, then its title', async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
  stubApi({
    ...NAVIGATION,
    'GET /api/home': () => Response.json(homeData()),
    'GET /api/topics/news': () => response,
  });
  const router = await renderPage('/');
  fakeClock();
  const timers = vi.spyOn(globalThis, 'setTimeout');
  void router.navigate('/topic/news');
  // Other timers may begin meanwhile: the carousel's, once it is seen.
  await expect.poll(() => timers.mock.calls.map(([, ms]) => ms)).toContain(1_000);
  timers.mockRestore();
  passTime(999);
  expect(announced()).toEqual([]);
  passTime(1);
  await expect.poll(announced).toEqual(['Loading...']);
  respond(Response.json(topicData()));
  await expect.element(page.getByRole('heading', { level: 1, name: 'News' })).toHaveFocus();
  await expect.poll(announced).toEqual([document.title]);
  expect(document.title).toMatch(/^News/);
});

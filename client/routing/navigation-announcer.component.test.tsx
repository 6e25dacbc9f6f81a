import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { fakeClock, passTime } from '../../tests/component/fake-clock.ts';
import { articleData, homeData, MENUS, topicData } from '../../tests/component/page-data.ts';
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

test('opens what the target of a link within the page is folded in, shows it, and focuses it', async () => {
  const fold = (html: string) => `<details><summary>Fold</summary>${html}</details>`;
  const folded = fold(fold('<div style="height: 4000px"></div><h3 id="deep">Three</h3>'));
  const bodyHtml = `<p><a href="#deep">Deep</a></p>${folded}`;
  const data = articleData({ bodyHtml });
  stubApi({ ...NAVIGATION, 'GET /api/articles/news/post-1': () => Response.json(data) });
  await renderPage('/news/post-1');
  await page.getByRole('link', { name: 'Deep' }).click();
  const target = page.getByRole('heading', { name: 'Three' });
  await expect.element(target).toHaveFocus();
  await expect.element(target).toBeInViewport();
});

test.each([
  { width: 1280, button: 'Latest' },
  { width: 390, button: 'Menu' },
])(
  'focuses the button of the menu after Back to where a link in it was followed, $width wide',
  async ({ width, button }) => {
    await page.viewport(width, 844);
    stubApi({
      'GET /api/navigation': () => Response.json(MENUS),
      'GET /api/topics/news': () => Response.json(topicData()),
    });
    const router = await renderPage('/about');
    const banner = page.getByRole('banner');
    for (const name of new Set([button, 'Latest'])) await banner.getByRole('button', { name }).click();
    await banner.getByRole('link', { name: 'See More of News' }).click();
    await expect.element(page.getByRole('heading', { level: 1, name: 'News' })).toHaveFocus();
    await router.navigate(-1);
    await expect.element(banner.getByRole('button', { name: button })).toHaveFocus();
  },
);

test('focuses the heading after Back to where a link in a tab that is closed again was followed', async () => {
  stubApi({
    ...NAVIGATION,
    'GET /api/home': () => Response.json(homeData()),
    'GET /api/articles/news/popular-1': () => Response.json(articleData({ slug: 'popular-1' })),
  });
  const router = await renderPage('/');
  await page.getByRole('tab', { name: 'Popular' }).click();
  await page.getByRole('tabpanel', { name: 'Popular' }).getByRole('link').first().click();
  await expect
    .element(page.getByRole('heading', { level: 1, name: articleData().article.title }))
    .toHaveFocus();
  await router.navigate(-1);
  await expect.element(page.getByRole('heading', { level: 1, name: 'Latest' })).toHaveFocus();
});

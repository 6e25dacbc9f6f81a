import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { articleData, eventData, tagData, topicData } from '../../tests/component/page-data.ts';
import { renderPage } from '../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../tests/component/stub-api.ts';

/** Whether the router took each click; the browser follows none of them. */
let taken: boolean[];

function noteClick(event: Event): void {
  taken.push(event.defaultPrevented);
  event.preventDefault();
}

beforeEach(() => {
  taken = [];
  window.addEventListener('click', noteClick);
});

afterEach(() => window.removeEventListener('click', noteClick));

/** Renders a page with a link such as an article’s body holds, and clicks it. */
async function clickLink(attributes: Record<string, string>, modifiers: 'ControlOrMeta'[] = []) {
  stubApi({ ...NAVIGATION, 'GET /api/topics/news': () => Response.json(topicData()) });
  const router = await renderPage('/contact-us');
  const link = document.createElement('a');
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  link.textContent = 'A link of an article’s body';
  document.querySelector('main')?.prepend(link);
  await page.getByRole('link', { name: link.textContent }).click({ modifiers });
  return router;
}

test('a link to a page of the site is followed by the router, wherever it is', async () => {
  const router = await clickLink({ href: '/topic/news' });
  await expect.element(page.getByRole('heading', { level: 1, name: 'News' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/topic/news');
  expect(taken).toEqual([true]);
});

test.each([
  ['a feed', { href: '/feed.xml' }],
  ['an address that no page has', { href: '/no-such-page' }],
  ['another spelling of a page’s address', { href: '/topic/news/' }],
  ['one with capitals', { href: '/Topic/news' }],
  ['this window, by name', { href: '/topic/news', target: '_self' }],
  ['another origin', { href: 'https://elsewhere.example/topic/news' }],
])('a link to %s is left to the browser', async (_what, attributes) => {
  const router = await clickLink(attributes);
  expect(taken).toEqual([false]);
  expect(router.state.location.pathname).toBe('/contact-us');
  expect(router.state.navigation.state).toBe('idle');
});

test('a link that is pressed with a key that opens a window is left to the browser', async () => {
  const router = await clickLink({ href: '/topic/news' }, ['ControlOrMeta']);
  expect(taken).toEqual([false]);
  expect(router.state.navigation.state).toBe('idle');
});

test.each([
  ['Subscribe', '/tag/customer-data', 'link', 'Subscribe'],
  ['a section of the Category menu', '/tag/customer-data', 'link', 'Podcast'],
  ['Share', '/events/event-1', 'link', 'Share on Reddit'],
  ['Try again', '/topic/news', 'link', 'Try again'],
  ['Play', '/news/post-1', 'button', 'Play video: Post 1'],
] as const)('so is %s', async (_what, path, role, name) => {
  stubApi({
    ...NAVIGATION,
    'GET /api/tags/customer-data': () => Response.json(tagData()),
    'GET /api/events/event-1': () => Response.json(eventData()),
    'GET /api/topics/news': () => Response.json({}, { status: 503 }),
    'GET /api/articles/news/post-1': () =>
      Response.json(articleData({ video: { provider: 'youtube', id: 'abcdefghijk' } })),
  });
  const router = await renderPage(path);
  for (const modifier of ['metaKey', 'ctrlKey', 'shiftKey', 'altKey'])
    page
      .getByRole(role, { name, exact: true, includeHidden: true })
      .elements()[0]
      ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, [modifier]: true }));
  expect(taken).toEqual([false, false, false, false]);
  expect(router.state.location.pathname).toBe(path);
});

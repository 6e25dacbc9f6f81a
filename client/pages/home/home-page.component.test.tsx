import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { homeData, posts } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

test('keeps a sidebar of a hundred posts about as high as the stories beside it', async () => {
  stubApi({
    ...NAVIGATION,
    'GET /api/home': () =>
      Response.json(homeData({ sidebar: { latest: posts(100, 'latest'), popular: [] } })),
  });
  await renderPage('/');
  const last = page.getByRole('link', { name: 'latest-100' });
  expect(document.querySelector('.top-block')?.clientHeight).toBeLessThan(1_000);
  await expect.element(last).not.toBeInViewport();
  last.element().focus();
  await expect.element(last).toBeInViewport();
});

test('has a single quick byte where its section begins', async () => {
  stubApi({
    ...NAVIGATION,
    'GET /api/home': () => Response.json(homeData({ sections: { quickbytes: posts(1, 'byte') } })),
  });
  await renderPage('/');
  const heading = page.getByRole('heading', { name: 'Quick Bytes' }).element();
  const card = page.getByRole('link', { name: 'byte-1' }).element().closest('.post-card');
  expect(card?.getBoundingClientRect().left).toBe(heading.getBoundingClientRect().left);
});

test('leaves out sections without posts, and says Loading... where podcasts will be', async () => {
  const empty = homeData({ sections: { podcasts: [] } });
  stubApi({ ...NAVIGATION, 'GET /api/home': () => Response.json(empty) });
  await renderPage('/');
  await expect.element(page.getByText('Loading...', { exact: true }).first()).toBeVisible();
  for (const name of ['Guest Author', 'Quick Bytes', 'Articles'])
    expect(page.getByRole('heading', { level: 2, name }).elements()).toEqual([]);
  expect(page.getByText('No Posts Available').elements()).toEqual([]);
});

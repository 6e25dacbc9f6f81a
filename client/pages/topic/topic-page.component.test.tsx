import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react/pure';
import type { Advertisement } from '#shared/models/advertisement.ts';
import { advertisement, posts, topicData } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

test('leaves none of the old page behind where a list names a post twice', async () => {
  const known = posts(6);
  const list = (number: number, ...indexes: number[]) =>
    topicData({
      posts: indexes.flatMap((index) => known[index - 1] ?? []),
      pagination: { page: number, limit: 6, totalItems: 12, totalPages: 2 },
    });
  stubApi({
    ...NAVIGATION,
    'GET /api/topics/news': ({ url }) =>
      Response.json(url.endsWith('page=2') ? list(2, 5, 1, 2, 6, 3, 4) : list(1, 1, 2, 1, 3, 4, 3)),
  });
  const titles = () =>
    [...document.querySelectorAll('main .post-card-title')].map(({ textContent }) => textContent);
  const named = (...numbers: number[]) => numbers.map((number) => `post-${number}`);
  await renderPage('/topic/news');
  expect(titles()).toEqual(named(1, 2, 1, 3, 4, 3));
  await page.getByRole('link', { name: 'Page 2' }).click();
  await expect.poll(titles).toEqual(named(5, 1, 2, 6, 3, 4));
});

test('gives its list the width of the page where there is no advertisement beside it', async () => {
  const widthWith = async (ads: Advertisement[]) => {
    stubApi({ ...NAVIGATION, 'GET /api/topics/news': () => Response.json(topicData({ ads })) });
    await renderPage('/topic/news');
    const list = document.querySelector('.post-list');
    const width = list?.getBoundingClientRect().width ?? 0;
    await cleanup();
    return width;
  };
  expect(await widthWith([])).toBeGreaterThan(await widthWith([advertisement({ slot: 'Post-1' })]));
});

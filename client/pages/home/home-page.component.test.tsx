import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { homeData, posts } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

test('has a single quick byte where its section begins', async () => {
  stubApi({
    ...NAVIGATION,
    'GET /api/home': () => Response.json(homeData({ quickBytes: posts(1, 'byte') })),
  });
  await renderPage('/');
  const heading = page.getByRole('heading', { name: 'Quick Bytes' }).element();
  const card = page.getByRole('link', { name: 'byte-1' }).element().closest('.post-card');
  expect(card?.getBoundingClientRect().left).toBe(heading.getBoundingClientRect().left);
});

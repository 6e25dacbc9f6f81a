import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { posts, tagData } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

test('the carousel of the next tag begins with its first slide', async () => {
  stubApi({
    ...NAVIGATION,
    'GET /api/tags/customer-data': () => Response.json(tagData()),
    'GET /api/tags/consent': () =>
      Response.json(tagData({ subcategory: 'consent', guestAuthors: posts(5, 'other') })),
  });
  const router = await renderPage('/tag/customer-data');
  const track = () => document.querySelector('.carousel-track');
  track()?.scrollTo({ left: 300, behavior: 'instant' });
  expect(track()?.scrollLeft).toBeGreaterThan(0);
  await router.navigate('/tag/consent');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Consent');
  expect(track()?.scrollLeft).toBe(0);
});

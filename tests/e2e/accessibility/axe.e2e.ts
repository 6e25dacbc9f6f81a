import { expect, test } from '../fixtures.ts';
import { findViolations } from './find-violations.ts';

const PAGES = [
  '/',
  '/topic/news',
  '/tag/customer-data',
  '/search/all/consent',
  '/events',
  '/contact-us',
  '/privacy-policy',
  '/no-such-page',
];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    for (const path of PAGES) {
      for (const width of [1280, 390]) {
        test(`axe finds nothing on ${path}, ${width} pixels wide`, async ({ page, expectedNoise }) => {
          expectedNoise.push(/404/);
          await page.setViewportSize({ width, height: 900 });
          await page.goto(path);
          expect(await findViolations(page)).toEqual([]);
        });
      }
    }

    test('axe finds nothing on an article, nor in an open menu', async ({ page }) => {
      await page.goto('/');
      await page.locator('.top-block h2 a').first().click();
      await expect(page.locator('.article-head h1')).toBeVisible();
      await page.getByRole('button', { name: 'Leadership' }).click();
      expect(await findViolations(page)).toEqual([]);
    });
  });
}

import { findPost, isLong } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';
import { findViolations } from './find-violations.ts';

const PAGES = [
  '/',
  '/topic/news',
  '/tag/customer-data',
  '/search/all/consent',
  '/search/all/zzzzzz',
  '/events',
  '/events?tab=past',
  '/contact-us',
  '/contact-us?sent=1',
  '/opt-out-form',
  '/subscribe',
  '/about',
  '/sitemap',
  '/privacy-policy',
  '/no-posts',
  '/no-such-page',
];

/** Whether the first heading of an article's text skips a level below the page's title. */
const startsWithH3 = (post: Record<string, unknown>) =>
  /^[^<]*(?:<(?!h\d)[^<]*)*<h3/.test(String(post['post_content']));

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

    for (const width of [1280, 390]) {
      test(`axe finds nothing on articles and events, whatever is open, ${width} pixels wide`, async ({
        page,
        site,
      }) => {
        await page.setViewportSize({ width, height: 900 });
        for (const has of [isLong, startsWithH3]) {
          const category = has === isLong ? 'featured' : 'interview';
          await page.goto(await findPost(site.demoCms, category, has));
          expect.soft(await findViolations(page), `${category}, at its top`).toEqual([]);
          await page.mouse.wheel(0, 1_500);
          await page.getByRole('button', { name: 'Table of Contents' }).click();
          expect.soft(await findViolations(page), `${category}, with its contents`).toEqual([]);
        }
        if (width < 768) await page.getByRole('button', { name: /Menu/ }).click();
        await page.getByRole('button', { name: 'Leadership' }).click();
        expect.soft(await findViolations(page), 'with a menu').toEqual([]);
        await page.goto('/events');
        await page.goto((await page.locator('.event-card a').first().getAttribute('href')) ?? '');
        await page.getByRole('tab', { name: 'Popular' }).click();
        expect.soft(await findViolations(page), 'an event').toEqual([]);
      });

      test(`axe finds nothing on a form with errors, nor on the dialog, ${width} pixels wide`, async ({
        page,
      }) => {
        await page.setViewportSize({ width, height: 900 });
        await page.goto('/contact-us');
        await page.getByRole('button', { name: 'Submit' }).click();
        await expect(page.locator('.field-error').first()).toBeVisible();
        expect.soft(await findViolations(page)).toEqual([]);
        await page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
        expect.soft(await findViolations(page)).toEqual([]);
      });
    }
  });
}

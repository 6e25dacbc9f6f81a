import type { Page } from '@playwright/test';
import { findPost, isLong } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';
import { findViolations } from './find-violations.ts';

/** 1280 px at a zoom of 400 % (WCAG 1.4.10). */
const NARROWEST = { width: 320, height: 800 };
const ROUTES = {
  lists: ['/', '/topic/news', '/tag/customer-data', '/events', '/sitemap'],
  searches: ['/search/all/consent', '/search/all/zzzzzz', '/no-posts'],
  texts: ['/about', '/contact-us', '/opt-out-form', '/privacy-policy', '/subscribe', '/404'],
};

async function expectReflow(page: Page): Promise<void> {
  expect.soft(await findViolations(page), `axe on ${page.url()}`).toEqual([]);
  expect
    .soft(await page.evaluate(() => document.documentElement.scrollWidth), `${page.url()} scrolls sideways`)
    .toBeLessThanOrEqual(NARROWEST.width);
}

test.use({ viewport: NARROWEST });

for (const [group, paths] of Object.entries(ROUTES)) {
  test(`the ${group} fit a width of 320 px without sideways scrolling, and axe finds nothing there`, async ({
    page,
    expectedNoise,
  }) => {
    expectedNoise.push(/404/);
    for (const path of paths) {
      await page.goto(path);
      await expectReflow(page);
    }
  });
}

test('an article, its contents list, an event, the menus and the popup fit 320 px, and axe finds nothing there', async ({
  page,
  site,
}) => {
  await page.goto(await findPost(site.demoCms, 'news', isLong));
  await expectReflow(page);
  await page.mouse.wheel(0, 1_500);
  await page.getByRole('button', { name: 'Table of Contents' }).click();
  await expectReflow(page);
  await page.getByRole('button', { name: /Menu/ }).click();
  await page.getByRole('button', { name: 'Leadership' }).click();
  await expectReflow(page);
  await page.goto('/events');
  const event = await page.locator('main a[href^="/events/"]').first().getAttribute('href');
  await page.goto(event ?? '');
  await expectReflow(page);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectReflow(page);
});

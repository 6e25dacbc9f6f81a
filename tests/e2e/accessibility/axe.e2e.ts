import type { Page } from '@playwright/test';
import { inTurn, oneInThree } from '../../matrix.ts';
import { findPost, isLong } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';
import { PAGE_PATHS } from '../page-paths.ts';
import { COLOUR_RULES, findViolations } from './find-violations.ts';

/** An article and an event have tests of their own; a subtopic is a topic's component. */
const OTHERS = new Set(['article', 'event', 'subtopic']);
const PATHS = [
  ...[...PAGE_PATHS].filter(([name]) => !OTHERS.has(name)).map(([, path]) => path),
  '/search/all/zzzzzz',
  '/events?tab=past',
  '/contact-us?sent=1',
];

/** Whether the first heading of an article's text skips a level below the page's title. */
const startsWithH3 = (post: Record<string, unknown>) =>
  /^[^<]*(?:<(?!h\d)[^<]*)*<h3/.test(String(post['post_content']));

/** 320 px: 1280 px at a zoom of 400 % (WCAG 1.4.10). */
const WIDTHS = [1280, 320];

/** Expects that axe finds nothing, neither in light nor in dark colours, and that nothing scrolls sideways. */
async function expectNothing(page: Page, state: string): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  expect
    .soft(await page.evaluate(() => document.documentElement.scrollWidth), `${state} scrolls sideways`)
    .toBeLessThanOrEqual(width);
  // A colour that is changing from one scheme to the other has a contrast of its own.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect.soft(await findViolations(page), `${state}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect.soft(await findViolations(page, COLOUR_RULES), `${state}, dark`).toEqual([]);
}

test('axe finds nothing on any page, and nothing scrolls sideways, wide and narrow, in light and dark colours', async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/404/);
  for (const [index, path] of oneInThree(PATHS).entries()) {
    await page.goto(path);
    for (const width of inTurn(WIDTHS, index)) {
      await page.setViewportSize({ width, height: 900 });
      await expectNothing(page, `${path}, ${width} pixels wide`);
    }
  }
});

for (const [index, [category, has]] of (
  [
    ['featured', isLong],
    ['interview', startsWithH3],
  ] as const
).entries())
  for (const width of inTurn(WIDTHS, index))
    test(`axe finds nothing on an article of ${category}, whatever is open, ${width} pixels wide`, async ({
      page,
      site,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(await findPost(site.demoCms, category, has));
      await expectNothing(page, 'at its top');
      await page.mouse.wheel(0, 1_500);
      await page.getByRole('button', { name: 'Table of Contents' }).click();
      await expectNothing(page, 'with its contents');
      if (width < 768) await page.getByRole('button', { name: /Menu/ }).click();
      await page.getByRole('button', { name: 'Leadership' }).click();
      await expectNothing(page, 'with a menu');
    });

for (const width of inTurn(WIDTHS, 0))
  test(`axe finds nothing on an event, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/events');
    await page.goto((await page.locator('.event-card a').first().getAttribute('href')) ?? '');
    await page.getByRole('tab', { name: 'Popular' }).click();
    await expectNothing(page, 'with the popular posts');
  });

for (const width of inTurn(WIDTHS, 1))
  test(`axe finds nothing on a form with errors, nor on the dialog, ${width} pixels wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/contact-us');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.locator('.field-error').first()).toBeVisible();
    await expectNothing(page, 'with errors');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
    await expectNothing(page, 'with the dialog');
  });

import type { Page } from '@playwright/test';
import { findPost, isLong } from './find-post.ts';
import { expect, test } from './fixtures.ts';

/** Degrees between two hues that nobody takes for one. */
const APART = 30;
/** Smallest text of a page, in pixels. */
const SMALLEST = 13;

function hueOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  const sector =
    most === red
      ? (green - blue) / range
      : most === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
  return (sector * 60 + 360) % 360;
}

function degreesBetween(one: string, other: string): number {
  const distance = Math.abs(hueOf(one) - hueOf(other));
  return Math.min(distance, 360 - distance);
}

const styleOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an error, the focus and a submit button have three hues, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/contact-us');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByRole('textbox', { name: 'First name' })).toBeFocused();
    const error = await styleOf(page, '.field-error', 'color');
    const focus = await styleOf(page, ':focus', 'outline-color');
    const button = await styleOf(page, '.button', 'background-color');
    expect(degreesBetween(error, focus)).toBeGreaterThanOrEqual(APART);
    expect(degreesBetween(focus, button)).toBeGreaterThanOrEqual(APART);
    expect(degreesBetween(button, error)).toBeGreaterThanOrEqual(APART);
  });
}

/** Returns the elements of the page's main part and footer that show text smaller than `smallest`. */
function findSmallTexts(smallest: number): string[] {
  return [...document.querySelectorAll('main *, .footer *')]
    .filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true }) &&
        [...element.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        ) &&
        Number.parseFloat(getComputedStyle(element).fontSize) < smallest,
    )
    .map(({ outerHTML }) => outerHTML.slice(0, 80));
}

test(`no text of a page is smaller than ${SMALLEST} pixels`, async ({ page, site, expectedNoise }) => {
  expectedNoise.push(/404/);
  const article = await findPost(site.demoCms, 'featured', isLong);
  for (const path of [
    article,
    '/topic/news',
    '/tag/customer-data',
    '/search/all/consent',
    '/events',
    '/contact-us',
    '/sitemap',
    '/privacy-policy',
    '/no-such-page',
  ]) {
    await page.goto(path);
    expect.soft(await page.evaluate(findSmallTexts, SMALLEST), path).toEqual([]);
  }
});

import { expect, test } from '../fixtures.ts';
import { PAGE_PATHS } from '../page-paths.ts';

/** Smallest text of a page, in pixels. */
const SMALLEST = 13;

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

test(`no text of a page is smaller than ${SMALLEST} pixels`, async ({ page, expectedNoise }) => {
  expectedNoise.push(/404/);
  for (const path of PAGE_PATHS.values()) {
    await page.goto(path);
    expect.soft(await page.evaluate(findSmallTexts, SMALLEST), path).toEqual([]);
  }
});

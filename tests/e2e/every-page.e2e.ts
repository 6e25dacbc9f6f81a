import type { Page } from '@playwright/test';
import { oneInThree } from '../matrix.ts';
import { smallTargets } from './accessibility/small-targets.ts';
import { findPost } from './find-post.ts';
import { expect, test } from './fixtures.ts';
import { PAGE_PATHS } from './page-paths.ts';
import { LONG_WORD } from './text/long-word.ts';

/** Smallest text of a page, in pixels. */
const SMALLEST_TEXT = 13;
/** Least height and width of what is pressed, in pixels. */
const LEAST_TARGET = 24;

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

test(`on a desktop no text of a page is smaller than ${SMALLEST_TEXT} px, targets are at least ${LEAST_TARGET} px high and wide, and words of eighty letters widen it at no width, whatever is open`, async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/404/);
  const podcast = await findPost(site.demoCms, 'podcasts', () => true);
  // The walk of the head and that on a phone take the others.
  for (const path of [...oneInThree([...PAGE_PATHS.values()]), podcast]) {
    await page.goto(path);
    expect.soft(await page.evaluate(findSmallTexts, SMALLEST_TEXT), `small texts of ${path}`).toEqual([]);
    // What a body links to is as high as its line.
    if (path !== podcast)
      expect.soft(await page.evaluate(smallTargets, LEAST_TARGET), `small targets of ${path}`).toEqual([]);
    await openAll(page);
    await lengthenWords(page);
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(scrollWidth, `${path}, ${width} pixels wide`).toBeLessThanOrEqual(width);
    }
  }
});

const openAll = (page: Page) =>
  page.locator('main details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });

/** Puts the word into every text that may come from the upstream, or from a publisher. */
function lengthenWords(page: Page): Promise<void> {
  return page.evaluate((word) => {
    for (const part of document.querySelectorAll('main, .footer')) {
      const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode;
        if (
          text.textContent?.trim() &&
          !text.parentElement?.closest('button, [aria-disabled], [href^="tel:"], .wordmark')
        )
          text.textContent = `${word} ${word}`;
      }
    }
  }, LONG_WORD);
}

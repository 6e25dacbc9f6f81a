import { expect } from '../e2e/fixtures.ts';
import { isPainted } from '../e2e/is-painted.ts';
import { PAGE_PATHS } from '../e2e/page-paths.ts';
import { TAKES_ALL } from '../matrix.ts';
import { NOON, SCHEMES, test, WIDTHS } from './fixtures.ts';

/**
 * Compares each page with its text, and with its pictures: three widths, both schemes, the first 1600 pixels at full size. Every other picture
 * is compared, so that each page is in each width and both schemes; all of them with MATRIX=all. `npm run pictures` takes
 * those that differ again: look at them before they are committed.
 */
const HEIGHT = 1600;

/** A subtopic is the component of a topic, and looks the same. */
const PAGES = [...PAGE_PATHS].filter(([name]) => name !== 'subtopic');

for (const [pageAt, [name, path]] of PAGES.entries()) {
  test(`${name} looks as in its pictures`, async ({ page, expectedNoise, tolerance }) => {
    if (name === 'not-found') expectedNoise.push(/404/);
    await page.clock.setFixedTime(NOON);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const [widthAt, width] of WIDTHS.entries()) {
      await page.setViewportSize({ width, height: HEIGHT });
      if (widthAt === 0) {
        await page.goto(path);
        expect.soft(`${await page.locator('body').innerText()}\n`).toMatchSnapshot(`${name}.txt`);
      }
      for (const [schemeAt, colorScheme] of SCHEMES.entries()) {
        if (!TAKES_ALL && (pageAt + widthAt + schemeAt) % 2 > 0) continue;
        await page.emulateMedia({ colorScheme });
        await isPainted(page);
        await expect
          .soft(page)
          .toHaveScreenshot(`${name}-${width}-${colorScheme}.png`, { maxDiffPixelRatio: tolerance });
      }
    }
  });
}

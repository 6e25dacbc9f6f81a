import { expect } from '../e2e/fixtures.ts';
import { isPainted } from '../e2e/is-painted.ts';
import { BLOCK_FIXTURES } from '../fixtures/article-blocks.ts';
import { FIXTURES_PATH, serveArticleBlocks } from '../fixtures/serve-article-blocks.ts';
import { TAKES_ALL } from '../matrix.ts';
import { NOON, SCHEMES, test, WIDTHS } from './fixtures.ts';

/**
 * Compares articles of all fixtures of blocks with their pictures: sheets of some twenty blocks at half size, each in three
 * widths and in both schemes by turns. Every other one; all with MATRIX=all.
 */
const PER_SHEET = 24;
const SHEETS = Math.ceil(BLOCK_FIXTURES.length / PER_SHEET);
/** Stands in for every picture of the fixtures, which are of no host that exists. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="675"><rect width="1200" height="675" fill="#b9c4c9"/><path d="M0 675 1200 0M0 0l1200 675" stroke="#5b6a70" stroke-width="6"/></svg>';

test.use({ deviceScaleFactor: 0.5 });

for (let sheet = 0; sheet < SHEETS; sheet += 1) {
  test(`the blocks of sheet ${sheet + 1} look as in their pictures`, async ({ page, site, tolerance }) => {
    await page.clock.setFixedTime(NOON);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.route('**/*', (route) =>
      route.request().resourceType() === 'image'
        ? route.fulfill({ contentType: 'image/svg+xml', body: PICTURE })
        : route.fallback(),
    );
    await serveArticleBlocks(site, BLOCK_FIXTURES.slice(sheet * PER_SHEET, (sheet + 1) * PER_SHEET));
    for (const [widthAt, width] of WIDTHS.entries()) {
      if (!TAKES_ALL && (sheet + widthAt) % 2 > 0) continue;
      const colorScheme = SCHEMES[(sheet + (widthAt >> 1)) % SCHEMES.length] ?? null;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 1600 });
      await page.goto(FIXTURES_PATH);
      const text = page.locator('.rich-text');
      await text.evaluate(async (element) => {
        const images = [...element.querySelectorAll('img')];
        for (const image of images) image.loading = 'eager';
        await Promise.all(images.map((image) => image.decode()));
      });
      await isPainted(page);
      await expect.soft(text).toHaveScreenshot(`blocks-${sheet + 1}-${width}-${colorScheme}.png`, {
        maxDiffPixelRatio: tolerance,
      });
    }
    await site.faults([]);
  });
}

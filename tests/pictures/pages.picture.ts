import type { Page } from '@playwright/test';
import { startDemoCms } from '#demo/start.ts';
import { test as base, expect } from '../e2e/fixtures.ts';
import { PAGE_PATHS } from '../e2e/page-paths.ts';
import { startSiteUnderTest } from '../integration/site-under-test.ts';

/**
 * Compares each page with its pictures: three widths, both schemes, the first 1600 pixels at full size. Every other picture
 * is compared, so that each page is in each width and both schemes; all of them with PICTURES=all. `npm run pictures` takes
 * those that differ again: look at them before they are committed.
 */
const COMPARES_ALL = process.env['PICTURES'] === 'all';
const NOON = new Date('2026-11-20T12:00:00Z');
const WIDTHS = [1280, 768, 390];
const HEIGHT = 1600;
const SCHEMES = ['light', 'dark'] as const;
/** Share of pixels that may differ: fonts are drawn a little differently by each version of the browser. */
const TOLERANCE = 0.01;

const test = base.extend({
  /** A site whose content never changes: its demo CMS is always at the same moment. */
  site: [
    async ({ browserName: _ }, use) => {
      const demoCms = await startDemoCms({ dataDir: null, faults: true, clock: () => NOON.getTime() });
      const site = await startSiteUnderTest({}, { demoCms: demoCms.origin });
      await use(site);
      await site.close();
      await demoCms.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

async function isPainted(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForFunction(() => {
    // Pictures in a closed menu are not loaded until it opens.
    const inView = [...document.images].filter((image) => {
      const { top, bottom, width } = image.getBoundingClientRect();
      return image.checkVisibility() && width > 0 && bottom > 0 && top < window.innerHeight;
    });
    return inView.every((image) => image.complete);
  });
}

/** A subtopic is the component of a topic, and looks the same. */
const PAGES = [...PAGE_PATHS].filter(([name]) => name !== 'subtopic');

for (const [pageAt, [name, path]] of PAGES.entries()) {
  test(`${name} looks as in its pictures`, async ({ page, expectedNoise }) => {
    if (name === 'not-found') expectedNoise.push(/404/);
    await page.clock.setFixedTime(NOON);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    // The widest first: a browser keeps a picture that is larger than it needs.
    for (const [widthAt, width] of WIDTHS.entries()) {
      await page.setViewportSize({ width, height: HEIGHT });
      if (widthAt === 0) await page.goto(path);
      for (const [schemeAt, colorScheme] of SCHEMES.entries()) {
        if (!COMPARES_ALL && (pageAt + widthAt + schemeAt) % 2 > 0) continue;
        await page.emulateMedia({ colorScheme });
        await isPainted(page);
        await expect
          .soft(page)
          .toHaveScreenshot(`${name}-${width}-${colorScheme}.png`, { maxDiffPixelRatio: TOLERANCE });
      }
    }
  });
}

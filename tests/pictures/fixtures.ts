import { startDemoCms } from '#demo/start.ts';
import { test as base, expect } from '../e2e/fixtures.ts';
import { isPainted } from '../e2e/is-painted.ts';
import { startSiteUnderTest } from '../integration/site-under-test.ts';

export const NOON = new Date('2026-11-20T12:00:00Z');
/** The widest first: a browser keeps a picture that is larger than it needs. */
export const WIDTHS = [1280, 768, 390];
export const SCHEMES = ['light', 'dark'] as const;
/** Share of pixels that may differ: less than a word, and more than what two runs of one browser draw differently. */
const TOLERANCE = 0.001;
/** The same where the machine hints letters as the one that took the pictures did not: 2 % of a page of text. */
const TOLERANCE_OF_OTHER_LETTERS = 0.03;
/** How Playwright says that a picture differs, in pixels or in size; a missing one is another error. */
const PICTURES_DIFFER = /are different|Expected an image/;

interface WorkerFixtures {
  /** What the first test of a worker has measured: of a browser it is the same for all. */
  measured: { tolerance?: number };
}

export const test = base.extend<{ tolerance: number }, WorkerFixtures>({
  measured: [async ({ browserName: _ }, use) => use({}), { scope: 'worker' }],
  /** Share of pixels that may differ from a picture: small where a line of text is drawn as in `letters.png`. */
  tolerance: async ({ browser, baseURL, measured }, use) => {
    if (measured.tolerance !== undefined) return use(measured.tolerance);
    const context = await browser.newContext({ ...(baseURL && { baseURL }), deviceScaleFactor: 1 });
    const page = await context.newPage();
    // Hydration would bring back the page.
    await page.route('**/*.js', (route) => route.abort());
    await page.goto('/about');
    await page.evaluate(() => {
      const line = document.createElement('p');
      line.textContent = 'Pack my box with five dozen jugs; sphinx of black quartz, judge my vow';
      line.style.all = 'unset';
      document.body.replaceChildren(line);
    });
    await isPainted(page);
    const letters = await page.locator('p').screenshot();
    await context.close();
    let tolerance = TOLERANCE;
    try {
      expect(letters).toMatchSnapshot('letters.png', { maxDiffPixelRatio: TOLERANCE });
    } catch (error) {
      if (!(error instanceof Error && PICTURES_DIFFER.test(error.message))) throw error;
      tolerance = TOLERANCE_OF_OTHER_LETTERS;
      console.log(
        `letters are not drawn as in letters.png: ${tolerance * 100} % of a picture's pixels may differ`,
      );
    }
    measured.tolerance = tolerance;
    await use(tolerance);
  },
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

import { inTurn } from '../../matrix.ts';
import { findPost } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';
import { recordLayoutShifts } from '../record-layout-shifts.ts';

/** A tenth of a good CLS. What is left is a word that wraps elsewhere. */
const SHIFT = 0.01;

test.describe('fonts that come late', () => {
  for (const [index, name] of ['home', 'article', 'topic'].entries()) {
    for (const width of inTurn([1280, 800, 390], index)) {
      test(`move next to nothing of the ${name} page, ${width} pixels wide`, async ({ page, site }) => {
        await page.setViewportSize({ width, height: 900 });
        const shifts = await recordLayoutShifts(page);
        let release = () => {};
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        await page.route(/\.woff2/, async (route) => {
          await held;
          await route.continue();
        });
        const article = await findPost(site.demoCms, 'news', () => true);
        const opened = page.goto({ home: '/', article, topic: '/topic/news' }[name] ?? '');
        await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
        release();
        await opened;
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        const sum = (await shifts()).reduce((total, { value }) => total + value, 0);
        expect(sum).toBeLessThan(SHIFT);
      });
    }
  }
});

import { inTurn } from '../../matrix.ts';
import { findPost } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';

/** A tenth of a good CLS. What is left is a word that wraps elsewhere. */
const SHIFT = 0.01;

test.describe('fonts that come late', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { shift = '0' } = document.documentElement.dataset;
          if ('value' in entry)
            document.documentElement.dataset['shift'] = String(Number(shift) + Number(entry.value));
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
  });

  for (const [index, name] of ['home', 'article', 'topic'].entries()) {
    for (const width of inTurn([1280, 800, 390], index)) {
      test(`move next to nothing of the ${name} page, ${width} pixels wide`, async ({ page, site }) => {
        await page.setViewportSize({ width, height: 900 });
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
        await page.evaluate(async () => {
          await document.fonts.ready;
          // A layout shift is reported with the frame after the one that paints it.
          for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        });
        const shift = Number((await page.locator('html').getAttribute('data-shift')) ?? 0);
        expect(shift).toBeLessThan(SHIFT);
      });
    }
  }
});

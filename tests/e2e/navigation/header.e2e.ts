import { expect, test } from '../fixtures.ts';
import { scrollTo } from '../scroll-to.ts';

/** A page of each header: the masthead of the home page, the slim bar of the others. */
const PATHS = ['/', '/topic/news'];

/** Collects the shifts of the header's parts in `window.shifts`, once its fonts have loaded. */
async function observeHeaderShifts(): Promise<void> {
  await document.fonts.ready;
  const shifts: string[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      for (const { node } of Reflect.get(entry, 'sources'))
        if (node?.parentElement?.closest('header')) shifts.push(node.nodeName);
    }
  }).observe({ type: 'layout-shift' });
}

test('the header condenses without a layout shift', async ({ page }) => {
  const textStart = () =>
    page.locator('main').evaluate((main) => main.getBoundingClientRect().top + window.scrollY);
  for (const path of PATHS) {
    await page.goto(path);
    await page.evaluate(observeHeaderShifts);
    const start = await textStart();
    for (const top of [4, 9, 60, 123, 126, 600, 126, 60, 0]) {
      await scrollTo(page, top);
      await page.evaluate(
        () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
      );
      expect(await textStart(), path).toBe(start);
    }
    expect(await page.evaluate(() => Reflect.get(window, 'shifts')), path).toEqual([]);
  }
});

test.describe('without its style sheet', () => {
  test.use({ expectedNoise: [/ERR_FAILED/] });

  test('a page has no sign wider than its text', async ({ page }) => {
    await page.route('**/assets/*.css', (route) => route.abort());
    await page.goto('/about');
    const widths = await page
      .locator('svg')
      .evaluateAll((signs) => signs.map((sign) => sign.getBoundingClientRect().width));
    expect(Math.max(...widths)).toBeLessThan(50);
  });
});

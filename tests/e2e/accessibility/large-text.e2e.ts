import { oneInThree } from '../../matrix.ts';
import { findPost } from '../find-post.ts';
import { expect, test as usual } from '../fixtures.ts';

/** Opens pages in a browser with a default font size of 32 px, twice the usual one. */
const test = usual.extend({
  context: async ({ playwright, launchOptions }, use) => {
    const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32'];
    const browser = await playwright.chromium.launch({ ...launchOptions, args });
    await use(await browser.newContext());
    await browser.close();
  },
});

const WIDTHS = [390, 768, 1280, 1600];
/** An article with every block. */
const BLOCKS_PATH = '/learning-center/pick-a-content-system-by-its-editors';
/** The first width at which the header has menus instead of one button. */
const MENUS_FROM = 1536;

/** Returns the texts that are wider than their elements: they cover the element beside them. */
function textsBesideTheirElements(): string[] {
  return [...document.querySelectorAll('body *')]
    .filter((element) => {
      const { display, overflowX } = getComputedStyle(element);
      if (display === 'inline' || overflowX !== 'visible' || !element.checkVisibility()) return false;
      const end = element.getBoundingClientRect().right + 1;
      return [...element.childNodes].some((node) => {
        const range = document.createRange();
        range.selectNode(node);
        return node instanceof Text && node.data.trim() && range.getBoundingClientRect().right > end;
      });
    })
    .map((element) => element.textContent);
}

test('letters of twice the size widen no page at any width, and every way on is in sight', async ({
  page,
  site,
}) => {
  const article = await findPost(site.demoCms, 'news', () => true);
  const banner = page.getByRole('banner');
  const others = ['/topic/news', '/tag/customer-data', '/events', '/search/all/consent', '/contact-us'];
  for (const path of ['/', article, ...oneInThree([BLOCKS_PATH, ...others])]) {
    await page.goto(path);
    await expect(page.locator('html')).toHaveCSS('font-size', '32px');
    for (const width of WIDTHS) {
      const where = `${path}, ${width} pixels wide`;
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), where).toBe(width);
      expect.soft(await page.evaluate(textsBesideTheirElements), where).toEqual([]);
      // A page of each header.
      if (path !== '/' && path !== article) continue;
      for (const way of [width < MENUS_FROM ? 'Menu' : 'Latest', 'Search'])
        await expect(banner.getByRole('button', { name: way }), where).toBeVisible();
      for (const control of await banner.locator('a:visible, button:visible').all())
        await expect.soft(control, where).toBeInViewport({ ratio: 1 });
    }
  }
});

test('letters of twice the size keep the popover of Share in the window at every width', async ({
  page,
  site,
}) => {
  await page.goto(await findPost(site.demoCms, 'news', () => true));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  for (const width of [320, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 900 });
    const box = await page.locator('#share-networks').boundingBox();
    if (!box) throw new Error('the popover of Share is closed');
    expect.soft(box.x, `${width}`).toBeGreaterThanOrEqual(0);
    expect.soft(box.x + box.width, `${width}`).toBeLessThanOrEqual(width);
    expect.soft(await page.evaluate(textsBesideTheirElements), `${width}`).toEqual([]);
  }
});

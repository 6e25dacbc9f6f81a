import { findPost } from '../find-post.ts';
import { expect, test as usual } from '../fixtures.ts';

/** Starts a browser with a default font size of 32 px, twice the usual one. */
const test = usual.extend({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32'];
      await use({ ...launchOptions, args });
    },
    { scope: 'worker' },
  ],
});

for (const width of [390, 768, 1280, 1600]) {
  test(`letters of twice the size widen no page of ${width} px, and every way on is in sight`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const article = await findPost(site.demoCms, 'news', () => true);
    for (const path of ['/', '/topic/news', '/tag/customer-data', '/events', '/contact-us', article]) {
      await page.goto(path);
      await expect(page.locator('html')).toHaveCSS('font-size', '32px');
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width);
    }
    const banner = page.getByRole('banner');
    for (const path of ['/', article]) {
      await page.goto(path);
      for (const way of [width < 1536 ? 'Menu' : 'Latest', 'Search'])
        await expect(banner.getByRole('button', { name: way })).toBeVisible();
      for (const control of await banner.locator('a:visible, button:visible').all())
        await expect.soft(control).toBeInViewport({ ratio: 1 });
    }
  });
}

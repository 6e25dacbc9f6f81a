import { expect, test } from '../fixtures.ts';

test.describe('the menus', () => {
  test('that is opened before the page is hydrated is open afterwards', async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/entry-client-*.js', async (route) => {
      await held;
      await route.continue();
    });
    // Not `waitForLoadState`: the blank page before it has loaded.
    const loaded = page.waitForEvent('load');
    const opened = page.goto('/about');
    await loaded;
    const latest = page.getByRole('button', { name: 'Latest' });
    await expect(latest).not.toHaveAttribute('aria-expanded');
    await latest.click();
    await expect(latest).toHaveAttribute('aria-expanded', 'true');
    release();
    await opened;
    await expect(page.getByRole('link', { name: 'See More of News' })).toBeVisible();
    await expect(latest).toHaveAttribute('aria-expanded', 'true');
  });
});

test.describe('the menus without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('are closed until their buttons open them, one at a time', async ({ page }) => {
    for (const { width, height, header } of [
      { width: 1280, height: 900, header: 64 },
      { width: 390, height: 844, header: 56 },
    ]) {
      await page.setViewportSize({ width, height });
      await page.goto('/about');
      const banner = page.getByRole('banner');
      expect((await banner.boundingBox())?.height).toBe(header);
      await expect(banner.locator('.see-more:visible')).toHaveCount(0);
      const sheet = banner.getByRole('button', { name: 'Menu' });
      if (await sheet.isVisible()) await sheet.click();
      await banner.getByRole('button', { name: 'Latest' }).click();
      await expect(banner.locator('.see-more:visible')).toHaveText([/of News$/, /of Quick Bytes$/]);
      await banner.getByRole('button', { name: 'Features' }).click();
      await expect(banner.locator('.see-more:visible')).toHaveText([/of Articles$/, /of Learning Center$/]);
      await banner.getByRole('link', { name: 'See More of Articles' }).click();
      await expect(page).toHaveURL(/\/topic\/featured$/);
    }
  });

  test('leave the search to a button on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/about');
    await expect(page.getByRole('searchbox')).toBeHidden();
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('consent');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/search/all/consent');
  });
});

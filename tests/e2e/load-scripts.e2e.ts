import { expect, test } from './fixtures.ts';

test.describe('before its scripts are there', () => {
  test('a page lets its pictures come first, and a button that is pressed acts once they are', async ({
    page,
  }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked: string[] = [];
    await page.route('**/assets/*.js', async (route) => {
      asked.push(new URL(route.request().url()).pathname);
      if (!route.request().url().includes('/load-scripts-')) await held;
      await route.continue();
    });
    // Not `waitForLoadState`: the blank page before it has loaded.
    const loaded = page.waitForEvent('load');
    const opened = page.goto('/');
    await loaded;
    const popular = page.getByRole('tab', { name: 'Popular' });
    await popular.click();
    await expect(popular).toHaveAttribute('aria-selected', 'false');
    release();
    await opened;
    await expect(popular).toHaveAttribute('aria-selected', 'true');
    expect(asked[0]).toContain('/load-scripts-');
  });

  test('a form that is sent is sent as it is without them where they cannot be had', async ({
    page,
    expectedNoise,
  }) => {
    expectedNoise.push(/Failed to|ERR_FAILED|dynamically imported module/);
    await page.route('**/assets/entry-client-*.js', (route) => route.abort());
    // Not `waitForLoadState`: the blank page before it has loaded.
    const loaded = page.waitForEvent('load');
    const opened = page.goto('/search/all/consent').catch(() => undefined);
    await loaded;
    await page.getByRole('searchbox').first().fill('ledger');
    await page.getByRole('searchbox').first().press('Enter');
    await expect(page).toHaveURL(/\/search\/all\/ledger$/);
    await page.unroute('**/assets/entry-client-*.js');
    await opened;
  });
});

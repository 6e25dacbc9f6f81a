import { expect, test } from '../fixtures.ts';

test.describe('without a connection', () => {
  test.use({ expectedNoise: [/ERR_INTERNET_DISCONNECTED|could not be|Failed to fetch/] });

  test('a list says that it could not be loaded, not that there is nothing, and loads with Try again', async ({
    page,
    context,
  }) => {
    await page.goto('/topic/news');
    await context.setOffline(true);
    await page.locator('nav.pagination a', { hasText: '2' }).first().click();
    await expect(
      page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }),
    ).toBeVisible();
    await expect(page.getByText('No Posts Available')).toHaveCount(0);
    const again = page.getByRole('link', { name: 'Try again' });
    await again.click();
    await expect(again).toBeVisible();
    await context.setOffline(false);
    await again.click();
    await expect(page).toHaveURL(/\/topic\/news\?page=2$/);
    await expect(page.getByRole('heading', { level: 1, name: 'News' })).toBeVisible();
  });

  test('a page whose code cannot be loaded says so in the document, and its link loads it later', async ({
    page,
    context,
  }) => {
    await page.goto('/about');
    await page.evaluate(() => document.body.setAttribute('data-seen', ''));
    await context.setOffline(true);
    const link = page.locator('footer a[href="/sitemap"]');
    await link.click();
    await expect(
      page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }),
    ).toBeVisible();
    await expect(page.locator('body[data-seen]')).toHaveCount(1);
    await context.setOffline(false);
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sitemap' })).toBeVisible();
  });

  test('Subscribe says that its form could not be loaded, in the document, and shows it with Try again', async ({
    page,
    context,
  }) => {
    await page.goto('/about');
    await page.evaluate(() => document.body.setAttribute('data-seen', ''));
    await context.setOffline(true);
    await page.getByRole('banner').getByRole('link', { name: 'Subscribe' }).click();
    await expect(
      page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }),
    ).toBeVisible();
    await expect(page.locator('body[data-seen]')).toHaveCount(1);
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Subscribe' })).toBeVisible();
  });
});

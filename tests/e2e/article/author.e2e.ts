import { expect, test } from '../fixtures.ts';

test('an author’s page opens from a byline, and has further pages', async ({ page }) => {
  await page.goto('/learning-center/choosing-a-customer-data-platform-once');
  const link = page.locator('.article-byline').getByRole('link');
  const name = String(await link.textContent());
  await link.click();
  await expect(page).toHaveURL(/\/author\/\d+$/);
  await expect(page.locator('h1')).toHaveText(name);
  await expect(page).toHaveTitle(new RegExp(`^${name}`));
  const pagination = page.getByRole('navigation', { name: 'Pagination' });
  await pagination.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL(/\/author\/\d+\?page=2$/);
  await expect(pagination.locator('[aria-current="page"]')).toHaveText('2');
  await expect(page.locator('h1')).toHaveText(name);
});

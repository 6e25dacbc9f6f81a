import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const box = (page: Page) => page.getByRole('searchbox');

const recent = (page: Page) => page.getByRole('list', { name: 'Recent searches' }).getByRole('link');

/** Presses the key until it has an effect: the shortcut's script is loaded last. */
async function pressSlash(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(box(page)).toBeFocused({ timeout: 500 });
  }).toPass();
}

test.describe('the key /', () => {
  test('leads to the search box, and is a letter where one types', async ({ page }) => {
    await page.goto('/about');
    await pressSlash(page);
    await expect(box(page)).toHaveValue('');
    await page.keyboard.type('a/b');
    await expect(box(page)).toHaveValue('a/b');
  });

  test('opens the box on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/about');
    await expect(box(page)).toBeHidden();
    await pressSlash(page);
  });

  test('can be turned off, for good', async ({ page }) => {
    await page.goto('/search/all/consent');
    await pressSlash(page);
    await page.getByRole('checkbox', { name: 'The key / leads to the search box' }).uncheck();
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await expect(box(page)).not.toBeFocused();
    await page.reload();
    await expect(page.getByRole('checkbox', { name: 'The key /' })).not.toBeChecked();
  });
});

test.describe('recent searches', () => {
  test('lead to what was searched for before, the latest first, until they are to be forgotten', async ({
    page,
  }) => {
    await page.goto('/about');
    await pressSlash(page);
    for (const term of ['consent', 'attribution', 'consent', 'privacy']) {
      await box(page).fill(term);
      await box(page).press('Enter');
      await expect(page.locator('h1')).toHaveText(new RegExp(`: ${term}$`));
    }
    await expect(recent(page)).toHaveText(['consent', 'attribution']);
    await recent(page).first().click();
    await expect(page).toHaveURL('/search/all/consent');
    await expect(recent(page)).toHaveText(['privacy', 'attribution']);
    await page.getByRole('button', { name: 'Forget recent searches' }).click();
    await expect(recent(page)).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('checkbox', { name: 'The key /' })).toBeVisible();
    await expect(recent(page)).toHaveCount(0);
  });

  test('are none in a storage that is broken', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('recent-searches', '{"a":'));
    await page.goto('/search/all/consent');
    await expect(page.getByRole('checkbox', { name: 'The key /' })).toBeVisible();
    await expect(recent(page)).toHaveCount(0);
  });
});

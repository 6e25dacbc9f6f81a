import type { Locator, Page } from '@playwright/test';
import { findPost, isLong } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';

/** Presses Tab until a locator has the focus, at most a hundred times. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let steps = 0; steps < 100; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

test.describe('without a mouse', () => {
  test('the first key leads past the header to the text', async ({ page }) => {
    await page.goto('/');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the main text' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.locator('#main')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.locator('#main :focus')).toHaveCount(1);
  });

  test('the contents of an article open, and an entry focuses its heading', async ({ page, site }) => {
    await page.goto(await findPost(site.demoCms, 'featured', isLong));
    const button = page.getByRole('button', { name: 'Table of Contents' });
    await tabTo(page, page.locator('.article-head').getByRole('button').last());
    const top = () => page.evaluate(() => window.scrollY);
    const isHeadGone = () =>
      page.locator('.article-head').evaluate((head) => head.getBoundingClientRect().bottom < 0);
    while (!(await isHeadGone())) {
      const before = await top();
      await page.keyboard.press('PageDown');
      await expect.poll(top).toBeGreaterThan(before);
    }
    await expect(button).toBeVisible();
    // The list is where the head ends, also for the order of the keys.
    await page.keyboard.press('Tab');
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const entry = page.locator('.contents-entries a').first();
    await expect(entry).toBeFocused();
    const id = (await entry.getAttribute('href'))?.slice(1) ?? '';
    await page.keyboard.press('Enter');
    await expect(page.locator(`[id="${id}"]`)).toBeFocused();
  });

  test('pages are turned, and the new one is begun at its head', async ({ page }) => {
    await page.goto('/topic/news');
    const next = page.getByRole('navigation', { name: 'Pagination' }).getByRole('link', { name: 'Next' });
    await tabTo(page, next);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/[?&]page=2$/);
    await expect(page.locator('h1')).toBeFocused();
  });

  test('the newsletter dialog keeps the focus until it closes, and gives it back', async ({ page }) => {
    await page.goto('/about');
    const opener = page.getByRole('contentinfo').getByRole('link', { name: 'Subscribe' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('textbox')).toBeFocused();
    for (let steps = 0; steps < 8; steps++) {
      await page.keyboard.press('Tab');
      // The browser's own toolbar may take the focus, elements behind the dialog may not.
      await expect(page.locator('main :focus, footer :focus, header :focus')).toHaveCount(0);
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
  });
});

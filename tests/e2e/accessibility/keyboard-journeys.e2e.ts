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

  test('a menu opens, is walked through, and gives the focus back', async ({ page }) => {
    await page.goto('/about');
    const button = page.getByRole('button', { name: 'Latest', exact: true });
    await tabTo(page, button);
    await page.keyboard.press('Enter');
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Tab');
    await expect(page.locator('#menu-Latest :focus')).toHaveCount(1);
    await tabTo(page, page.getByRole('link', { name: 'See More of News' }));
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('link', { name: 'See More of News' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/topic\/news$/);
    await expect(page.locator('h1')).toBeFocused();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
  });

  test('on a phone the sheet and its menus open, are walked through, and give the focus back one by one', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/about');
    const button = (name: string) => page.getByRole('banner').getByRole('button', { name, exact: true });
    await tabTo(page, button('Menu'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(button('Latest')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.locator('#menu-Latest :focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(button('Latest')).toBeFocused();
    await expect(button('Latest')).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('Escape');
    await expect(button('Menu')).toBeFocused();
    await expect(button('Menu')).toHaveAttribute('aria-expanded', 'false');
  });

  test('tabs are one stop, change by arrows, and lead on into their panel', async ({ page }) => {
    await page.goto('/');
    const latest = page.getByRole('tab', { name: 'Latest' });
    const popular = page.getByRole('tab', { name: 'Popular' });
    await tabTo(page, latest);
    await page.keyboard.press('ArrowRight');
    await expect(popular).toBeFocused();
    await expect(page.getByRole('tabpanel', { name: 'Popular' })).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(latest).toBeFocused();
    await page.keyboard.press('End');
    await expect(popular).toBeFocused();
    await page.keyboard.press('Home');
    await expect(latest).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('tabpanel', { name: 'Latest' }).locator(':focus')).toHaveCount(1);
  });

  test('the carousel does not move while it is walked through, is stepped on, and can be stopped', async ({
    page,
  }) => {
    await page.goto('/');
    const carousel = page.locator('section[aria-roledescription="carousel"]');
    const track = carousel.locator('.carousel-track');
    const left = () => track.evaluate(({ scrollLeft }) => scrollLeft);
    await tabTo(page, carousel.getByRole('button', { name: /^Pause/ }));
    await page.keyboard.press('Space');
    await expect(carousel.getByRole('button', { name: /^Play/ })).toBeFocused();
    await tabTo(page, carousel.getByRole('button', { name: 'Next slide' }));
    await page.keyboard.press('Enter');
    await expect.poll(left).toBeGreaterThan(0);
    // The row may still be moving: each press counts from where the one before it leads.
    await tabTo(page, carousel.getByRole('button', { name: 'Previous slide' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(left).toBe(0);
    await tabTo(page, carousel.getByRole('link').first());
    await expect(carousel.getByRole('link').first()).toBeInViewport();
  });

  test('advertisements that take turns can be stopped', async ({ page }) => {
    await page.goto('/');
    const slot = page.locator('[data-slot="Home-2"]');
    await tabTo(page, slot.getByRole('button', { name: /^Pause/ }));
    await page.keyboard.press('Enter');
    await expect(slot.getByRole('button', { name: /^Play/ })).toBeFocused();
  });

  test('the contents of an article open, and lead to a heading', async ({ page, site }) => {
    await page.goto(await findPost(site.demoCms, 'featured', isLong));
    const button = page.getByRole('button', { name: 'Table of Contents' });
    await tabTo(page, page.locator('.article-head').getByRole('button').last());
    await expect(async () => {
      await page.keyboard.press('PageDown');
      await expect(button).toBeVisible({ timeout: 500 });
    }).toPass();
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

  test('Show More leads to the first of the new events', async ({ page }) => {
    await page.goto('/events');
    const cards = page.locator('.events-grid > :visible');
    await expect(cards).toHaveCount(9);
    await tabTo(page, page.getByRole('button', { name: 'Show More' }));
    await page.keyboard.press('Enter');
    await expect(cards.nth(9).locator(':focus')).toHaveCount(1);
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

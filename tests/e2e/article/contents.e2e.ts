import { findPost, isLong } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';

test.describe('the contents of an article', () => {
  test('shows the contents list once its head is out of view; an entry closes it and brings the heading to 125px', async ({
    page,
    site,
  }) => {
    await page.goto(await findPost(site.demoCms, 'featured', isLong));
    const button = page.getByRole('button', { name: 'Table of Contents' });
    await expect(button).toBeHidden();
    await page.mouse.wheel(0, 1_500);
    await expect(button).toBeVisible();
    await button.click();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    const entries = page.locator('.contents-entries a');
    await expect(page.locator('.contents-entries [data-level="2"] .contents-number').first()).toHaveText(
      /^1\.\s*$/,
    );
    const entry = entries.nth((await entries.count()) - 2);
    const id = (await entry.getAttribute('href'))?.slice(1) ?? '';
    await entry.click();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    const heading = page.locator(`[id="${id}"]`);
    await expect(heading).toBeFocused();
    await expect.poll(async () => Math.round((await heading.boundingBox())?.y ?? 0)).toBe(125);
  });

  test('has the focus on its button after Back from the heading of an entry', async ({ page, site }) => {
    await page.goto(await findPost(site.demoCms, 'featured', isLong));
    await page.mouse.wheel(0, 1_500);
    const button = page.getByRole('button', { name: 'Table of Contents' });
    await button.click();
    await page.locator('.contents-entries a').last().click();
    await expect(page).toHaveURL(/#/);
    await expect(page.locator(':focus[id^="s-"]')).toBeVisible();
    await page.goBack();
    await expect(button).toBeFocused();
  });

  test('moves no page that is followed from it while it scrolls', async ({ page, site }) => {
    await page.goto(await findPost(site.demoCms, 'featured', isLong));
    await page.mouse.wheel(0, 1_500);
    await page.getByRole('button', { name: 'Table of Contents' }).click();
    await page.locator('.contents-entries a').last().click();
    await page.waitForFunction(() => window.scrollY > 1_600);
    await page.locator('footer a[href="/about"]').evaluate((link: HTMLElement) => link.click());
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.waitForFunction(() => document.title.startsWith('About'));
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  });

  test('ends in the window of a reader who has zoomed to 400 %', async ({ page, site }) => {
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto(await findPost(site.demoCms, 'featured', isLong));
    await page.mouse.wheel(0, 3_000);
    await page.getByRole('button', { name: 'Table of Contents' }).click();
    const list = page.locator('.contents-entries');
    await expect(list).toBeVisible();
    const bottom = await list.evaluate((element) => element.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(256);
  });
});

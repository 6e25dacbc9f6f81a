import { startSiteUnderTest } from '../integration/site-under-test.ts';
import { expect, test } from './fixtures.ts';

test.describe('the menus', () => {
  test('opens one menu at a time; the same button, Escape and a click outside close it', async ({ page }) => {
    await page.goto('/');
    const [latest, features] = ['Latest', 'Features'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    );
    await latest?.click();
    await expect(page.getByRole('link', { name: 'See More of News' })).toBeVisible();
    await features?.click();
    await expect(features ?? page.locator('none')).toHaveAttribute('aria-expanded', 'true');
    await expect(latest ?? page.locator('none')).toHaveAttribute('aria-expanded', 'false');
    await features?.click();
    await expect(page.locator('.menus-button[aria-expanded="true"]')).toHaveCount(0);
    await latest?.click();
    await page.keyboard.press('Escape');
    await expect(page.locator('.menus-button[aria-expanded="true"]')).toHaveCount(0);
    await expect(latest ?? page.locator('none')).toBeFocused();
    await latest?.click();
    await page.mouse.click(640, 880);
    await expect(page.locator('.menus-button[aria-expanded="true"]')).toHaveCount(0);
  });

  test('shows up to three items in a menu’s column, each with thumbnail, title, author and date', async ({
    page,
  }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Leadership' }).click();
    const columns = page.locator('#menu-Leadership .menu-column');
    await expect(columns).toHaveCount(3);
    for (const column of await columns.all()) {
      await expect(column.locator('.menu-item:visible')).toHaveCount(3);
      await expect(column.locator('.menu-item').first().locator('img')).toHaveAttribute('src', /width=300/);
      await expect(column.locator('.menu-item time').first()).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    }
  });

  test('has three items in a menu’s column from 768px on, and one below', async ({ page }) => {
    await page.goto('/');
    const items = page.locator('#menu-Latest .menu-column').first().locator('.menu-item:visible');
    for (const [width, count] of [
      [768, 3],
      [767, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const sheet = page.getByRole('button', { name: /Menu/ });
      if (await sheet.isVisible()) await sheet.click();
      await page.getByRole('button', { name: 'Latest', exact: true }).click();
      await expect(items).toHaveCount(count);
      await page.keyboard.press('Escape');
      await expect(items).toHaveCount(0);
    }
  });

  test('says in red that a menu’s data could not be fetched', async ({ page }) => {
    const own = await startSiteUnderTest();
    await own.faults([{ path: '/api/post/leadership', kind: 'status', status: 500 }]);
    await page.goto(`${own.origin}/about`);
    await page.getByRole('button', { name: 'Leadership' }).click();
    const failure = page.getByText('Error: Error fetching data');
    await expect(failure).toBeVisible();
    const colour = await failure.evaluate((element) => getComputedStyle(element).color);
    const [red = 0, green = 255, blue = 255] = colour.match(/\d+/g)?.map(Number) ?? [];
    expect(red).toBeGreaterThan(3 * Math.max(green, blue));
    // Pictures may still be on their way.
    await page.close();
    await own.close();
  });

  test('on a phone the menus are behind a Menu button with one item per column, and nothing scrolls sideways', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.getByRole('button', { name: /Menu/ }).click();
    await page.getByRole('button', { name: 'Latest', exact: true }).click();
    for (const column of await page.locator('#menu-Latest .menu-column').all()) {
      await expect(column.locator('.menu-item:visible')).toHaveCount(1);
    }
    const left = async (selector: string) => (await page.locator(selector).first().boundingBox())?.x;
    expect(await left('#menu-Latest .menu-column')).toBe(await left('.menus-button'));
  });
});

import { expect, test } from '../fixtures.ts';

test.describe('a tag page', () => {
  test('scrolls smoothly to a section, below the fixed header', async ({ page }) => {
    await page.goto('/tag/customer-data');
    await page.getByRole('button', { name: 'Category' }).click();
    const links = page.locator('#category-links');
    // Links that are added after hydration push the others down.
    await expect(links.getByRole('link', { name: 'News' })).toBeVisible();
    await expect(links).toHaveCSS('height', '120px');
    await links.getByRole('link', { name: 'Podcast' }).click();
    const section = page.locator('#podcast');
    await expect.poll(async () => Math.round((await section.boundingBox())?.y ?? 0)).toBeLessThanOrEqual(90);
    await expect
      .poll(async () => Math.round((await section.boundingBox())?.y ?? 0))
      .toBeGreaterThanOrEqual(68);
  });

  test('shows the heading of a section below its strip of categories, on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/tag/customer-data');
    await page.getByRole('button', { name: 'Category' }).click();
    await page.locator('#category-links').getByRole('link', { name: 'Podcast' }).click();
    const heading = page.locator('#podcast h2');
    await expect(heading).toBeFocused();
    const isSeen = () =>
      heading.evaluate((element) => {
        const { left, top } = element.getBoundingClientRect();
        return document.elementFromPoint(left, top) === element;
      });
    await expect.poll(isSeen).toBe(true);
  });

  for (const { width, asked } of [
    { width: 1280, asked: 500 },
    { width: 640, asked: 300 },
  ]) {
    test(`asks for card pictures ${asked} wide at ${width}px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/tag/customer-data');
      const picture = page.locator('#news img').first();
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.currentSrc : '')))
        .toMatch(new RegExp(`width=${asked}$`));
    });
  }

  test('fits a phone', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/tag/customer-data');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.getByRole('button', { name: 'Category' }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});

test.describe('a tag page without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('has every section, and a Category menu that links to them', async ({ page }) => {
    await page.goto('/tag/customer-data');
    for (const name of ['News', 'Articles', 'Quick Bytes', 'Podcast', 'Hot Seats', 'Learning Center'])
      await expect(page.getByRole('heading', { name, exact: true, level: 2 })).toBeVisible();
    await page.getByRole('button', { name: 'Category' }).click();
    await page.getByRole('link', { name: 'Podcast', exact: true }).click();
    await expect(page).toHaveURL(/#podcast$/);
    await expect(page.locator('#podcast')).toBeInViewport();
  });
});

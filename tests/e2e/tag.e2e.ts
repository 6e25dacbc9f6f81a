import { expect, test } from './fixtures.ts';

test.describe('a tag page', () => {
  test('opens its Category menu, a vertical tab at the right edge, to a height of 120 and closes it on a click outside', async ({
    page,
  }) => {
    await page.goto('/tag/customer-data');
    const button = page.getByRole('button', { name: 'Category' });
    await expect(button).toHaveCSS('writing-mode', /^vertical-/);
    const tab = await page.locator('.category-menu').boundingBox();
    const edge = await page.evaluate(() => document.documentElement.clientWidth);
    expect(Math.round((tab?.x ?? 0) + (tab?.width ?? 0))).toBe(edge);
    const menu = page.locator('#category-links');
    await expect(menu).toHaveCSS('height', '0px');
    await button.click();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    await expect(menu).toHaveCSS('height', '120px');
    await expect(menu.getByRole('link')).toHaveText([
      'News',
      'Articles',
      'Quick Bytes',
      'Podcast',
      'Hot Seats',
      'Future Ready',
      'Guest Author',
      'Learning Center',
    ]);
    await page.locator('h1').click();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    await expect(menu).toHaveCSS('height', '0px');
    await expect(page.getByRole('link', { name: 'Learning Center', exact: true })).toHaveCount(0);
  });

  test('has all of its Category menu in sight on a phone that lies on its side', async ({ page }) => {
    await page.setViewportSize({ width: 568, height: 320 });
    await page.goto('/tag/customer-data');
    await page.getByRole('button', { name: 'Category' }).click();
    const menu = page.locator('#category-links');
    await expect(menu).toHaveCSS('height', '120px');
    for (const name of ['News', 'Articles', 'Learning Center']) {
      // A click would scroll until the link is not covered.
      await expect(menu.getByRole('link', { name })).toBeInViewport({ ratio: 1 });
      const isOnTop = await menu.getByRole('link', { name }).evaluate((link) => {
        const { x, y, width, height } = link.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) === link;
      });
      expect(isOnTop, name).toBe(true);
    }
  });

  test('scrolls smoothly to a section, below the fixed header', async ({ page }) => {
    await page.goto('/tag/customer-data');
    await page.getByRole('button', { name: 'Category' }).click();
    const links = page.locator('#category-links');
    // Links that are added after hydration push the others down.
    await expect(links.getByRole('link', { name: 'News' })).toBeVisible();
    await expect(links).toHaveCSS('height', '120px');
    await links.getByRole('link', { name: 'Podcast' }).click();
    const section = page.locator('#podcast');
    await expect
      .poll(async () => Math.round((await section.boundingBox())?.y ?? 0), { timeout: 8_000 })
      .toBeLessThanOrEqual(90);
    await expect
      .poll(async () => Math.round((await section.boundingBox())?.y ?? 0))
      .toBeGreaterThanOrEqual(68);
  });

  test('keeps its links where they are while it opens, also for the focus', async ({ page }) => {
    await page.goto('/tag/customer-data');
    await page.getByRole('button', { name: 'Category' }).click();
    const scrolled = await page.locator('#category-links').evaluate((menu) => {
      menu.querySelector<HTMLElement>('a[href="#podcast"]')?.focus();
      menu.scrollTop = 50;
      return menu.scrollTop;
    });
    expect(scrolled).toBe(0);
  });

  test('says so when a section of its menu is not on the page', async ({ page, site }) => {
    await site.faults([{ path: '/api/post/tag/nothing-at-all', kind: 'wrong-json', body: { posts: {} } }]);
    await page.goto('/tag/nothing-at-all');
    await site.faults([]);
    await expect(page.getByText('No Posts Available')).toHaveCount(7);
    await page.getByRole('button', { name: 'Category' }).click();
    await expect(page.locator('#category-links')).toHaveCSS('height', '120px');
    const said = page.waitForEvent('dialog');
    const click = page.getByRole('link', { name: 'Future Ready' }).click();
    const dialog = await said;
    expect(dialog.message()).toBe('Nohing is there!!!...');
    await dialog.accept();
    await click;
  });

  test('shows the shape of a list while a slow one is on its way, and takes it away again', async ({
    page,
  }) => {
    await page.goto('/sitemap');
    let response = () => {};
    const held = new Promise<void>((resolve) => {
      response = resolve;
    });
    await page.route('**/api/tags/**', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('main').getByRole('link', { name: 'Customer Data' }).click();
    await expect(page.locator('.skeleton-list')).toBeVisible();
    response();
    await expect(page.locator('h1')).toHaveText('Customer-data');
    await expect(page.locator('.skeleton-list')).toHaveCount(0);
  });

  for (const { width, asked } of [
    { width: 1280, asked: 500 },
    { width: 600, asked: 300 },
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

  test('has every section and no menu that cannot open', async ({ page }) => {
    await page.goto('/tag/customer-data');
    for (const name of ['News', 'Articles', 'Quick Bytes', 'Podcast', 'Hot Seats', 'Learning Center'])
      await expect(page.getByRole('heading', { name, exact: true, level: 2 })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Category' })).toHaveCount(0);
  });
});

import { expect, test } from './fixtures.ts';

test.describe('the home page', () => {
  test('hydrates without a second fetch and without a word on the console', async ({ page }) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url());
    });
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Latest', exact: true })).toHaveAttribute(
      'aria-expanded',
      'false',
    );
    await page.getByRole('button', { name: 'Latest', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Latest', exact: true })).toHaveAttribute(
      'aria-expanded',
      'true',
    );
    expect(calls).toEqual([]);
  });

  test('has two headlines and a third of the lead’s picture above the fold, wide and narrow', async ({
    page,
  }) => {
    await page.goto('/');
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      const bottoms = await page
        .locator('.top-block-stories h2')
        .evaluateAll((headings) => headings.map((heading) => heading.getBoundingClientRect().bottom));
      expect(bottoms).toHaveLength(3);
      for (const bottom of bottoms.slice(0, 2)) expect(bottom).toBeLessThanOrEqual(viewport.height);
      const { top, height } = await page
        .locator('.post-card-lead img')
        .evaluate((image) => image.getBoundingClientRect());
      expect(top + height / 3).toBeLessThanOrEqual(viewport.height);
    }
  });

  test('fetches code and data of an article when a link to it is pointed at, and uses them for the click', async ({
    page,
  }) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/articles/')) calls.push(request.url());
    });
    await page.goto('/');
    const link = page.locator('.top-block h2 a').first();
    const ahead = page.waitForResponse((response) => response.url().includes('/api/articles/'));
    await link.hover();
    await ahead;
    const title = await link.textContent();
    await link.click();
    await expect(page.locator('h1')).toHaveText(String(title));
    expect(calls).toHaveLength(1);
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('every section is reachable by links, both sidebar lists are there, and the search form works', async ({
    page,
  }) => {
    await page.goto('/');
    for (const [menu, sections] of [
      ['Latest', ['News', 'Quick Bytes']],
      ['Leadership', ['Podcasts', 'Featured Interview', 'Guest Posts']],
      ['Features', ['Articles', 'Learning Center']],
    ] as const) {
      const banner = page.getByRole('banner');
      await banner.getByRole('button', { name: menu }).click();
      for (const section of sections)
        await expect(banner.getByRole('link', { name: `See More of ${section}` })).toBeVisible();
    }
    await expect(page.locator('.tabs-panel')).toHaveCount(2);
    for (const panel of await page.locator('.tabs-panel').all()) await expect(panel).toBeVisible();
  });
});

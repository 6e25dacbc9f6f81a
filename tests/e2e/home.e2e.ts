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

  test('has the lead’s picture and headline and four more headlines above the fold, and repeats none of its first stories in a list; on a phone the lead and the beginning of the next story, on a tablet Latest in two columns where no advertisement is beside it', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/');
    const picture = await page.locator('.post-card-lead img').evaluate((image) => {
      const { bottom, width } = image.getBoundingClientRect();
      return { bottom, share: width / (image.closest('.top-block')?.clientWidth ?? width) };
    });
    expect(picture.bottom).toBeLessThanOrEqual(800);
    expect(picture.share).toBeGreaterThan(2 / 3);
    const inView = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().bottom <= innerHeight).length);
    expect(await inView('.top-block-stories h2')).toBeGreaterThanOrEqual(1);
    expect(await inView('.top-block-side [role="tabpanel"].is-selected a')).toBeGreaterThanOrEqual(4);

    const first = await page
      .locator('.top-block-stories h2 a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(first).toHaveLength(3);
    const lists = ['.tabs-panel.is-selected', '.list-with-cards', '.carousel', '.podcast-feature'];
    const others = await page
      .locator(lists.map((list) => `${list} a`).join())
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(others.filter((href) => first.includes(href))).toEqual([]);

    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.locator('.post-card-lead')).toBeInViewport({ ratio: 1 });
    await expect(page.locator('.top-block-secondary h2').first()).toBeInViewport({ ratio: 1 });

    await page.setViewportSize({ width: 768, height: 1024 });
    const list = page.locator('.top-block-side .headline-list:visible');
    const columns = () =>
      list.locator('li').evaluateAll((all) => new Set(all.map((li) => li.getBoundingClientRect().left)).size);
    expect(await columns()).toBe(1);
    await page.locator('.top-block-side > .ad-slot').evaluate((slot) => slot.remove());
    expect(await columns()).toBe(2);
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

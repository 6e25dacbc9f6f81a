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

  test('on a phone the menus stand behind a Menu button with one item per column, and nothing scrolls sideways', async ({
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
  });

  test('changes between Latest and Popular by click and by arrow key', async ({ page }) => {
    await page.goto('/');
    const latest = page.getByRole('tab', { name: 'Latest' });
    const popular = page.getByRole('tab', { name: 'Popular' });
    await expect(latest).toHaveAttribute('aria-selected', 'true');
    await popular.click();
    await expect(page.getByRole('tabpanel', { name: 'Popular' })).toBeVisible();
    await expect(page.getByRole('tabpanel', { name: 'Latest' })).toBeHidden();
    await page.keyboard.press('ArrowLeft');
    await expect(latest).toHaveAttribute('aria-selected', 'true');
    await expect(latest).toBeFocused();
  });

  test('draws the specified ranges of quick bytes and articles', async ({ page, site }) => {
    const bytes: { post_title: string }[] = await (
      await fetch(`${site.newsroom}/api/post/homequickbyte`)
    ).json();
    const articles: { post_title: string }[] = await (
      await fetch(`${site.newsroom}/api/post/homearticle`)
    ).json();
    const titles = (list: { post_title: string }[], ...items: number[]) =>
      items.map((item) => list[item - 1]?.post_title);
    await page.goto('/');
    const [quick, long] = [page.locator('.list-with-cards').nth(0), page.locator('.list-with-cards').nth(1)];
    await expect(quick.locator('.list-with-cards-list h3')).toHaveText(titles(bytes, 2, 3, 4).map(String));
    await expect(quick.locator('.list-with-cards-cards h3')).toHaveText(
      [1, ...bytes.map((_, index) => index + 1).slice(4)].map((item) => String(bytes[item - 1]?.post_title)),
    );
    await expect(long.locator('.list-with-cards-list h3')).toHaveText(titles(articles, 2, 3, 4).map(String));
    await expect(long.locator('.list-with-cards-cards h3')).toHaveText(titles(articles, 2, 3).map(String));
  });

  test('moves the carousel by itself, and stops it on Pause', async ({ page }) => {
    await page.goto('/');
    const carousel = page.locator('section[aria-roledescription="carousel"]');
    await carousel.scrollIntoViewIfNeeded();
    const track = carousel.locator('.carousel-track');
    await expect
      .poll(() => track.evaluate((element) => element.scrollLeft), { timeout: 8_000 })
      .toBeGreaterThan(50);
    await carousel.getByRole('button', { name: /Pause/ }).click();
    await expect(carousel.getByRole('button', { name: /Play/ })).toBeVisible();
    await expect(carousel.locator('[aria-roledescription="slide"]').first()).toHaveAttribute(
      'aria-label',
      /^1 of/,
    );
  });

  test('stands side by side as many slides as the width allows', async ({ page }) => {
    for (const [width, slides] of [
      [400, 1],
      [700, 2],
      [800, 2],
      [1100, 3],
      [1280, 4],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/');
      const row = await page.locator('.carousel-track').boundingBox();
      const slide = await page.locator('.carousel-slide').first().boundingBox();
      expect(Math.round((row?.width ?? 0) / (slide?.width ?? 1)), `${width}px`).toBe(slides);
    }
  });

  test('rotates the advertisement by its own duration, with a fade, and pauses on demand', async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto('/');
    const slot = page.locator('.ad-slot[data-slot="Home-2"]');
    await slot.scrollIntoViewIfNeeded();
    const image = slot.locator('img');
    const first = await image.getAttribute('alt');
    await expect(async () => {
      await page.clock.runFor(1_000);
      expect(await image.getAttribute('alt')).not.toBe(first);
    }).toPass({ timeout: 15_000 });
    await slot.getByRole('button', { name: /Pause/ }).click();
    const second = await image.getAttribute('alt');
    await page.clock.runFor(30_000);
    expect(await image.getAttribute('alt')).toBe(second);
  });

  test('goes to the search page from its search box, and nowhere with an empty term', async ({ page }) => {
    await page.goto('/');
    const box = page.getByRole('searchbox');
    await box.press('Enter');
    await expect(page).toHaveURL('/');
    await box.fill('consent & “trust”/50%');
    await box.press('Enter');
    await expect(page).toHaveURL(`/search/all/${encodeURIComponent('consent & “trust”/50%')}`);
  });

  test('fetches code and data of a story when a link to it is pointed at, and uses them for the click', async ({
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

  test('every section is reachable by links, both sidebar lists stand, and the search form works', async ({
    page,
  }) => {
    await page.goto('/');
    for (const section of [
      'News',
      'Quick Bytes',
      'Podcasts',
      'Featured Interview',
      'Guest Posts',
      'Articles',
      'Learning Center',
    ]) {
      await expect(
        page.locator('.menus').getByRole('link', { name: new RegExp(`${section}$`) }),
      ).toBeVisible();
    }
    await expect(page.locator('.tabs-panel')).toHaveCount(2);
    for (const panel of await page.locator('.tabs-panel').all()) await expect(panel).toBeVisible();
  });
});

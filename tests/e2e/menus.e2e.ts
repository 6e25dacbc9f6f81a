import { startSiteUnderTest } from '../integration/site-under-test.ts';
import { expect, test } from './fixtures.ts';
import { scrollTo } from './scroll-to.ts';

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

  test('on a phone are an accordion that leaves the other menus in reach', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/about');
    const button = (name: string) => page.getByRole('banner').getByRole('button', { name, exact: true });
    await button('Menu').click();
    await expect(button('Menu')).toHaveAttribute('aria-expanded', 'true');
    expect((await page.locator('#menus').boundingBox())?.height).toBe(844 - 56);
    for (const name of ['Latest', 'Leadership', 'Features', 'Latest']) {
      await button(name).click();
      await expect(page.locator('.menus-button[aria-expanded="true"]')).toHaveText([name]);
      await expect(page.locator(`#menu-${name} .see-more`).first()).toBeInViewport({ ratio: 1 });
    }
    await button('Latest').click();
    await expect(page.locator('.menus-button[aria-expanded="true"]')).toHaveCount(0);
    await page.getByRole('banner').getByRole('link', { name: 'Events' }).click();
    await expect(page).toHaveURL(/\/events$/);
    await expect(page.locator('#menus')).toBeHidden();
    await expect(button('Menu')).toHaveAttribute('aria-expanded', 'false');
  });

  test('on a low window have the whole sheet below the row of the open menu', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 400 });
    await page.goto('/about');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Features' }).click();
    await expect(page.getByRole('button', { name: 'Features' })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Latest' })).toBeHidden();
    const panel = await page.locator('#menu-Features').boundingBox();
    expect(panel?.height).toBeGreaterThan(250);
    await page.getByRole('button', { name: 'Features' }).click();
    await expect(page.getByRole('button', { name: 'Latest' })).toBeInViewport({ ratio: 1 });
  });

  test('open right below the header, wherever the page is scrolled to', async ({ page }) => {
    await page.goto('/');
    const panel = page.locator('#menu-Latest');
    for (const top of [900, 60, 0]) {
      await scrollTo(page, top);
      await page.getByRole('button', { name: 'Latest', exact: true }).click();
      await expect(panel).toBeVisible();
      const end = await page.getByRole('banner').evaluate((banner) => banner.getBoundingClientRect().bottom);
      expect((await panel.boundingBox())?.y).toBe(end);
      await page.keyboard.press('Escape');
    }
  });

  test('that is opened before the page is hydrated is open afterwards', async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/entry-client-*.js', async (route) => {
      await held;
      await route.continue();
    });
    const opened = page.goto('/about');
    await page.waitForLoadState('load');
    const latest = page.getByRole('button', { name: 'Latest' });
    await latest.click();
    await expect(latest).toHaveAttribute('aria-expanded', 'true');
    release();
    await opened;
    await expect(page.getByRole('link', { name: 'See More of News' })).toBeVisible();
    await expect(latest).toHaveAttribute('aria-expanded', 'true');
  });
});

test.describe('the menus without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('are closed until their buttons open them, one at a time', async ({ page }) => {
    for (const { width, height, header } of [
      { width: 1280, height: 900, header: 64 },
      { width: 390, height: 844, header: 56 },
    ]) {
      await page.setViewportSize({ width, height });
      await page.goto('/about');
      const banner = page.getByRole('banner');
      expect((await banner.boundingBox())?.height).toBe(header);
      await expect(banner.locator('.see-more:visible')).toHaveCount(0);
      const sheet = banner.getByRole('button', { name: 'Menu' });
      if (await sheet.isVisible()) await sheet.click();
      await banner.getByRole('button', { name: 'Latest' }).click();
      await expect(banner.locator('.see-more:visible')).toHaveText([/of News$/, /of Quick Bytes$/]);
      await banner.getByRole('button', { name: 'Features' }).click();
      await expect(banner.locator('.see-more:visible')).toHaveText([/of Articles$/, /of Learning Center$/]);
      await banner.getByRole('link', { name: 'See More of Articles' }).click();
      await expect(page).toHaveURL(/\/topic\/featured$/);
    }
  });

  test('leave the search to a button on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/about');
    await expect(page.getByRole('searchbox')).toBeHidden();
    await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('consent');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/search/all/consent');
  });
});

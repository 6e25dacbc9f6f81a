import { fakeClock } from './fake-clock.ts';
import { findPost } from './find-post.ts';
import { expect, test } from './fixtures.ts';

test.describe('the share buttons', () => {
  test('opens share windows of the specified sizes and copies the link', async ({ page, site, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
    await page.addInitScript(() => {
      const opened: string[] = [];
      Object.assign(window, { opened });
      window.open = (_url, _name, features) => {
        opened.push(String(features));
        return Object.assign(Object.create(null), { closed: true });
      };
    });
    await page.goto(await findPost(site.demoCms, 'news', () => true));
    await page.getByRole('link', { name: 'Share on Facebook' }).click();
    await page.getByLabel('More ways to share').click();
    await page.getByRole('link', { name: 'Share on Weibo' }).click();
    const opened = await page.evaluate(() => Reflect.get(window, 'opened') as string[]);
    expect(opened[0]).toMatch(/width=550,height=400/);
    expect(opened[1]).toMatch(/width=660,height=550/);
    await expect(page.getByRole('link', { name: 'Share on Weibo' })).toBeFocused();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByText('Link copied')).toBeAttached();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      'https://www.example.com/news/',
    );
  });

  test('looks once a second whether a share window is closed, and then gives the focus back', async ({
    page,
    site,
  }) => {
    await page.addInitScript(() => {
      const shareWindow = { closed: false };
      const opened: string[] = [];
      Object.assign(window, { shareWindow, opened });
      window.open = (_url, _name, features) => {
        opened.push(String(features).replace(/,left.*/, ''));
        return Object.setPrototypeOf(shareWindow, null);
      };
    });
    await fakeClock(page);
    await page.goto(await findPost(site.demoCms, 'news', () => true));
    await page.getByLabel('More ways to share').click();
    for (const network of ['WhatsApp', 'Workplace', 'Reddit'])
      await page.getByRole('link', { name: `Share on ${network}` }).click();
    expect(await page.evaluate(() => Reflect.get(window, 'opened'))).toEqual(
      Array(3).fill('popup,width=550,height=400'),
    );
    const last = page.getByRole('link', { name: 'Share on Reddit' });
    await last.blur();
    await page.evaluate(() => {
      Reflect.get(window, 'shareWindow').closed = true;
    });
    await page.clock.runFor(999);
    await expect(last).not.toBeFocused();
    await page.clock.runFor(1);
    await expect(last).toBeFocused();
  });

  test('offers the device’s own share sheet where there is one', async ({ page, site }) => {
    await page.addInitScript(() => {
      const shared: ShareData[] = [];
      Object.assign(window, { shared });
      Object.defineProperty(navigator, 'share', { value: async (data: ShareData) => shared.push(data) });
    });
    const path = await findPost(site.demoCms, 'news', () => true);
    await page.goto(path);
    await page.getByRole('button', { name: 'Share…' }).click();
    expect(await page.evaluate(() => Reflect.get(window, 'shared'))).toEqual([
      { url: `https://www.example.com${path}`, title: await page.locator('h1').textContent() },
    ]);
  });
});

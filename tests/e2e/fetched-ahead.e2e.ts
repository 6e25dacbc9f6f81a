import { expect, test } from './fixtures.ts';

test.describe('a link, before the page is live', () => {
  test('has its document fetched ahead, and the view is counted once, when it is read', async ({
    page,
    site,
  }) => {
    const views = async () => {
      const answer = await fetch(`${site.newsroom}/newsroom/views`);
      const { views }: { views: unknown[] } = await answer.json();
      return views.length;
    };
    const before = await views();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      if (!route.request().url().includes('/boot-')) await held;
      await route.continue().catch(() => undefined);
    });
    const counted = page.waitForRequest('**/api/views');
    const opened = page.goto('/').catch(() => undefined);
    await page.waitForLoadState('load');
    const link = page.locator('.post-card-title a').first();
    const article = String(await link.getAttribute('href'));
    await site.forgetCalls();
    await link.hover();
    await expect.poll(async () => Object.keys(await site.calls()).join()).toContain(article);
    await link.click();
    await page.waitForURL(`**${article}`);
    release();
    await counted;
    await expect.poll(views).toBe(before + 1);
    await opened;
  });
});

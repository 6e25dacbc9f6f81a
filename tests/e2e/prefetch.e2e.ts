import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Starts to watch prefetches of a path; the returned function resolves once the browser has the document. */
async function documentFetchedAhead(page: Page, path: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  session.on('Preload.prefetchStatusUpdated', ({ prefetchUrl, status }) => {
    if (prefetchUrl.endsWith(path) && status === 'Ready') resolve();
  });
  await session.send('Preload.enable');
  return () => promise;
}

test.describe('a link, before the page is live', () => {
  test('has its document fetched ahead, and the view is counted once, when it is read', async ({
    page,
    site,
  }) => {
    const views = async () => {
      const response = await fetch(`${site.demoCms}/demo-cms/views`);
      const { views }: { views: unknown[] } = await response.json();
      return views.length;
    };
    const before = await views();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      if (!route.request().url().includes('/load-scripts-')) await held;
      await route.continue().catch(() => undefined);
    });
    const counted = page.waitForRequest('**/api/views');
    const opened = page.goto('/').catch(() => undefined);
    await page.waitForLoadState('load');
    const link = page.locator('.post-card-title a').first();
    const article = String(await link.getAttribute('href'));
    const fetchedAhead = await documentFetchedAhead(page, article);
    await link.hover();
    await fetchedAhead();
    await link.click();
    await page.waitForURL(`**${article}`);
    release();
    await counted;
    await expect.poll(views).toBe(before + 1);
    await opened;
  });
});

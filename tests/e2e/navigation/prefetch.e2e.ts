import type { Page } from '@playwright/test';
import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';
import { countViews } from '../count-views.ts';
import { expect, test } from '../fixtures.ts';

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
  // Of its own: views of earlier tests may still be on their way.
  let site: SiteUnderTest;
  test.beforeAll(async () => {
    site = await startSiteUnderTest();
  });
  test.afterAll(() => site.close());

  test('has its document fetched ahead, and the view is counted once, when it is read', async ({ page }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      if (!route.request().url().includes('/load-scripts-')) await held;
      await route.continue().catch(() => undefined);
    });
    const counted = page.waitForRequest('**/api/views');
    // Not `waitForLoadState`: the blank page before it has loaded.
    const loaded = page.waitForEvent('load');
    const opened = page.goto(site.origin).catch(() => undefined);
    await loaded;
    const link = page.locator('.post-card-title a').first();
    const article = String(await link.getAttribute('href'));
    const fetchedAhead = await documentFetchedAhead(page, article);
    await link.hover();
    await fetchedAhead();
    await link.click();
    await page.waitForURL(`**${article}`);
    release();
    await counted;
    await expect.poll(() => countViews(site)).toBe(1);
    await opened;
  });
});

import type { Page } from '@playwright/test';
import { cmsPosts } from '../../fixtures/cms-lists.ts';
import { startSiteUnderTest } from '../../integration/site-under-test.ts';
import { countViews } from '../count-views.ts';
import { findPost, isLong } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';

test.describe('an article', () => {
  test('has its byline, its lead picture at high priority, and an author box', async ({ page, site }) => {
    const path = await findPost(
      site.demoCms,
      'featured',
      (post) => isLong(post) && Number(post['banner_show']) === 1,
    );
    await page.goto(path);
    await expect(page.locator('.article-byline')).toHaveText(/^By .+ \| [A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    await expect(page.locator('.article-main > .responsive-image')).toHaveAttribute('fetchpriority', 'high');
    await expect(page.locator('.author-box-name')).not.toBeEmpty();
  });

  test('ends with the story that its reader may go on with', async ({ page, site }) => {
    await page.goto(await findPost(site.demoCms, 'news', () => true));
    const related = await page.locator('.article-side .post-card-title a').first().getAttribute('href');
    const next = page.getByRole('navigation', { name: 'Read next' }).getByRole('link');
    await expect(next).toHaveAttribute('href', String(related));
    const title = await next.textContent();
    await next.click();
    await expect(page.locator('h1')).toHaveText(String(title));
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });

  test('goes on right below its text, however short that is', async ({ page, site }) => {
    const path = '/news/news-post-1';
    const body = { result: cmsPosts(1, 'news') };
    await site.faults([{ path: `/api/post/postdetails${path}`, kind: 'wrong-json', body }]);
    await page.goto(path);
    await site.faults([]);
    const boxes = await Promise.all(
      [
        page.locator('.rich-text > :last-child'),
        page.getByRole('link', { name: 'Share on Facebook' }).last(),
        page.getByRole('navigation', { name: 'Read next' }),
      ].map((part) => part.boundingBox()),
    );
    const gaps = boxes
      .slice(1)
      .map((box, index) => (box?.y ?? Number.NaN) - (boxes[index]?.y ?? 0) - (boxes[index]?.height ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(64);
  });

  test('renders no banner when banner_show is not 1', async ({ page, site }) => {
    const path = await findPost(site.demoCms, 'featured', (post) => Number(post['banner_show']) !== 1);
    await page.goto(path);
    await expect(page.locator('.article-main > .responsive-image')).toHaveCount(0);
  });

  test('counts a view for a document and for a navigation inside the page, and none for hydration or pointing', async ({
    page,
  }) => {
    // Of its own: views of earlier tests may still be on their way.
    const site = await startSiteUnderTest();
    try {
      await page.goto(site.origin + (await findPost(site.demoCms, 'news', () => true)));
      await expect.poll(() => countViews(site)).toBe(1);
      const link = page.locator('.article-side .post-card-title a').first();
      await link.hover();
      const title = await link.textContent();
      await link.click();
      await expect(page.locator('h1')).toHaveText(String(title));
      await expect.poll(() => countViews(site)).toBe(2);
    } finally {
      await page.close();
      await site.close();
    }
  });

  test('moves focus to the new heading and says the new title after a navigation, and restores the scroll on the way back', async ({
    page,
    site,
  }) => {
    await page.goto(await findPost(site.demoCms, 'news', () => true));
    const link = page.locator('.article-more .post-card-title a').nth(2);
    await link.scrollIntoViewIfNeeded();
    await expect(page.locator('.loaded1')).toHaveCount(3);
    await atRest(page);
    const y = await page.evaluate(() => window.scrollY);
    await link.click();
    await expect(page.locator('h1')).toBeFocused();
    await expect(page.locator('p[role="status"][aria-live]')).toHaveText(await page.title());
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(y - 50);
  });

  test('reloads the page when its code is gone after a deploy', async ({ page, expectedNoise }) => {
    expectedNoise.push(/404/, /could not be loaded/);
    await page.goto('/');
    await page.route(/\/assets\/article-page-/, (route) => route.fulfill({ status: 404 }));
    const link = page.locator('.top-block h2 a').first();
    const reload = page.waitForRequest((request) => request.isNavigationRequest());
    await link.click();
    await reload;
    await expect(page.locator('.article-head h1')).toBeVisible();
  });
});

/** Waits until the reveal animations are over: Playwright scrolls to click an element that moves. */
async function atRest(page: Page): Promise<void> {
  await page.locator('.article').evaluate((article) =>
    Promise.all(
      article
        .getAnimations({ subtree: true })
        .filter(({ timeline }) => timeline === document.timeline)
        .map(({ finished }) => finished),
    ),
  );
}

test.describe('an article without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('is complete: text, open contents list, links to share, and the video', async ({ page, site }) => {
    await page.goto(await findPost(site.demoCms, 'featured', isLong));
    await expect(page.locator('.contents-entries a').first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Share on Facebook' })).toHaveAttribute('href', /sharer/);
    await page.goto(
      await findPost(site.demoCms, 'podcasts', (post) => String(post['podcast_link']).includes('youtube')),
    );
    await expect(page.locator('.video-play')).toHaveAttribute(
      'href',
      /^https:\/\/www\.youtube\.com\/watch\?v=/,
    );
  });
});

import type { Page } from '@playwright/test';
import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';
import { countViews } from '../count-views.ts';
import { expect, test } from '../fixtures.ts';

test.describe('an article behind a CDN', () => {
  let site: SiteUnderTest;
  let article: string;
  test.beforeAll(async () => {
    site = await startSiteUnderTest({
      CDN: 'cloudflare',
      CDN_PURGE_URL: 'http://127.0.0.1:9',
      CDN_TOKEN: 'a-token',
      CDN_ZONE: 'zone1',
    });
    const { top } = await (await fetch(`${site.origin}/api/home`)).json();
    article = `/${top[0].category}/${top[0].slug}`;
  });
  test.afterAll(() => site.close());

  const views = () => countViews(site);
  /** To be polled: Chromium may tell of a request after its view has come to the upstream. */
  const reported = (page: Page) => {
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/views')) requests.push(request.postData() ?? '');
    });
    return requests;
  };

  test('reports its view once when it is shown, and later articles once each', async ({ page }) => {
    const before = await views();
    const requests = reported(page);
    await page.goto(site.origin + article);
    await expect.poll(views).toBe(before + 1);
    await page.getByRole('link', { name: /News/ }).first().click();
    await page.waitForURL(/\/topic\/news$/);
    await page.locator(`main .post-card-title a:not([href="${article}"])`).first().click();
    await page.waitForURL((url) => /^\/news\/[^/]+$/.test(url.pathname));
    await expect.poll(views).toBe(before + 2);
    await expect.poll(() => requests.length).toBe(2);
  });

  test('reports its view also where the browser has no beacons', async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'sendBeacon'));
    const before = await views();
    await page.goto(site.origin + article);
    await expect.poll(views).toBe(before + 1);
  });

  test('reports again when it comes from the back-forward cache or is loaded again', async ({ page }) => {
    const before = await views();
    await page.goto(site.origin + article);
    await expect.poll(views).toBe(before + 1);
    await page.reload();
    await expect.poll(views).toBe(before + 2);
    await page.goto(`${site.origin}/about`);
    await page.goBack();
    await expect.poll(views).toBe(before + 3);
  });

  test('reports nothing while it is prerendered', async ({ page }) => {
    await page.addInitScript(() => {
      let isPrerendering = true;
      Object.defineProperty(document, 'prerendering', { get: () => isPrerendering });
      addEventListener('activate-for-test', () => {
        isPrerendering = false;
        document.dispatchEvent(new Event('prerenderingchange'));
      });
    });
    const before = await views();
    const requests = reported(page);
    await page.goto(site.origin + article);
    expect(requests).toEqual([]);
    await page.evaluate(() => dispatchEvent(new Event('activate-for-test')));
    await expect.poll(views).toBe(before + 1);
    await expect.poll(() => requests.length).toBe(1);
  });

  test('reports nothing while it is in the background', async ({ page }) => {
    await page.addInitScript(() => {
      let isShown = false;
      Object.defineProperty(document, 'visibilityState', { get: () => (isShown ? 'visible' : 'hidden') });
      addEventListener('show-for-test', () => {
        isShown = true;
        document.dispatchEvent(new Event('visibilitychange'));
      });
    });
    const before = await views();
    const requests = reported(page);
    await page.goto(site.origin + article);
    expect(requests).toEqual([]);
    await page.evaluate(() => dispatchEvent(new Event('show-for-test')));
    await expect.poll(views).toBe(before + 1);
    await expect.poll(() => requests.length).toBe(1);
  });
});

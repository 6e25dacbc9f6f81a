import type { Page } from '@playwright/test';
import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';
import { expect, test } from '../fixtures.ts';

// Of its own: measurements of earlier tests, some of whose readers are of the sample, may still be on their way.
let site: SiteUnderTest;
test.beforeAll(async () => {
  site = await startSiteUnderTest();
});
test.afterAll(() => site.close());

/** Opens a page and waits until it is measured. */
async function openMeasured(page: Page, path: string): Promise<void> {
  const script = page.waitForResponse(/\/assets\/web-vitals-/);
  await page.goto(site.origin + path);
  const url = (await script).url();
  // The page's own import of it is older, so what follows that has been done.
  await page.evaluate(`import(${JSON.stringify(url)}).then(() => undefined)`);
}

test.describe('a reader of the sample', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      Math.random = () => 0;
    });
  });

  test('tells once, on leaving, how the page was', async ({ page }) => {
    await openMeasured(page, '/topic/news');
    const counted = async () => {
      const metrics = await (await fetch(`${site.ops}/metrics`)).text();
      return Number(
        /^web_vitals_cls_count\{route="\/topic\/:category",device="desktop"\} (\d+)/m.exec(metrics)?.[1] ?? 0,
      );
    };
    for (let times = 0; times < 2; times++)
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      });
    await expect.poll(counted).toBe(1);
  });
});

test('a script that is gone is reported, when the document is asked for again', async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/404/);
  await page.addInitScript(() => {
    Math.random = () => 0;
  });
  await openMeasured(page, '/about');
  // Until the document is asked for again: the script may be fetched ahead as well.
  let isGone = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isGone = false;
  });
  await page.route(/\/assets\/contact-page-/, (route) =>
    isGone ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );
  await page.getByRole('banner').getByRole('link', { name: 'Contact Us' }).click();
  await expect(page.locator('h1')).toHaveText(/contact/i);
  await expect
    .poll(async () => (await fetch(`${site.ops}/metrics`)).text())
    .toMatch(/^web_vitals_chunk_load_errors_total\{route="\/about"\} [1-9]/m);
});

test('a reader outside the sample loads nothing to measure with', async ({ page }) => {
  await page.addInitScript(() => {
    Math.random = () => 0.99;
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/topic/news');
  expect(asked.filter((url) => url.includes('vitals'))).toEqual([]);
});

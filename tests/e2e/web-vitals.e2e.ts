import { expect, test } from './fixtures.ts';

test.describe('a reader of the sample', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      Math.random = () => 0;
    });
  });

  test('tells once, on leaving, how the page was', async ({ page, site }) => {
    const script = page.waitForResponse(/\/assets\/web-vitals-/);
    await page.goto('/topic/news');
    await script;
    const counted = async () => {
      const metrics = await (await fetch(`${site.ops}/metrics`)).text();
      return Number(
        /^web_vitals_cls_count\{route="\/topic\/:category",device="desktop"\} (\d+)/m.exec(metrics)?.[1] ?? 0,
      );
    };
    const before = await counted();
    for (let times = 0; times < 2; times++)
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      });
    await expect.poll(counted).toBe(before + 1);
  });
});

test('a script that is gone is reported, when the document is asked for again', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/404/);
  await page.addInitScript(() => {
    Math.random = () => 0;
  });
  const script = page.waitForResponse(/\/assets\/web-vitals-/);
  await page.goto('/about');
  await script;
  await page.route(/\/assets\/contact-page-/, (route) => route.fulfill({ status: 404, body: '' }), {
    times: 1,
  });
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

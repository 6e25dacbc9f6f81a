import { expect, test } from './fixtures.ts';

test.describe('before its scripts are there', () => {
  test('a page lets its pictures come first, and a button that is pressed acts once they are', async ({
    page,
  }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked: string[] = [];
    await page.route('**/assets/*.js', async (route) => {
      asked.push(new URL(route.request().url()).pathname);
      if (!route.request().url().includes('/load-scripts-')) await held;
      await route.continue();
    });
    // Not `waitForLoadState`: the blank page before it has loaded.
    const loaded = page.waitForEvent('load');
    const opened = page.goto('/');
    await loaded;
    const popular = page.getByRole('tab', { name: 'Popular' });
    await popular.click();
    await expect(popular).toHaveAttribute('aria-selected', 'false');
    release();
    await opened;
    await expect(popular).toHaveAttribute('aria-selected', 'true');
    expect(asked[0]).toContain('/load-scripts-');
  });

  test('the header is measured once the page has its first frame', async ({ page, site }) => {
    // A script that the first frame waits for, and the page's own scripts do not.
    await page.route(`${site.origin}/`, async (route) => {
      const response = await route.fetch();
      const script = '<script async blocking="render" src="/late.js"></script>';
      await route.fulfill({ response, body: (await response.text()).replace('<head>', `<head>${script}`) });
    });
    // Chromium does not let such a document load from another port of this machine.
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>';
    await page.route('**/media/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: picture }),
    );
    const ran = page.waitForEvent('domcontentloaded');
    await page.route('**/late.js', async (route) => {
      await ran;
      await route.fulfill({ contentType: 'text/javascript', body: '' });
    });
    await page.addInitScript(() => {
      const measured: string[] = [];
      Object.assign(window, { measured });
      let when = 'before';
      requestAnimationFrame(() => {
        when = 'after';
      });
      const measure = Element.prototype.getBoundingClientRect;
      Element.prototype.getBoundingClientRect = function () {
        if (this.matches('.header')) measured.push(when);
        return measure.call(this);
      };
    });
    await page.goto('/');
    await expect
      .poll(() => page.evaluate(() => [...new Set(Reflect.get(window, 'measured'))]))
      .toEqual(['after']);
  });

  test('a pointer that rests leaves them waiting for the pictures, one that moves has them loaded', async ({
    page,
  }) => {
    // Without the timer that loads them at the latest.
    await page.addInitScript(() => {
      const delay = window.setTimeout;
      Object.assign(window, {
        setTimeout: (handler: () => void, ms?: number) => (ms === 4_000 ? 0 : delay(handler, ms)),
      });
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The load event waits for them.
    await page.route('**/media/**', async (route) => {
      await held;
      await route.continue();
    });
    const opened = page.goto('/');
    await page.waitForRequest('**/assets/load-scripts-*.js');
    const preloaded: number[] = [];
    await expect
      .poll(async () => {
        preloaded.push(
          ...(await page.evaluate(() =>
            [0, 1].map((movementX) => {
              window.dispatchEvent(new PointerEvent('pointermove', { movementX }));
              return document.querySelectorAll('link[rel="modulepreload"]').length;
            }),
          )),
        );
        return preloaded.at(-1);
      })
      .toBeGreaterThan(0);
    expect(preloaded.at(-2)).toBe(0);
    release();
    await opened;
  });

  test('a form that is sent is sent as it is without them where they cannot be had', async ({
    page,
    expectedNoise,
  }) => {
    expectedNoise.push(/Failed to|ERR_FAILED|dynamically imported module/);
    await page.route('**/assets/entry-client-*.js', (route) => route.abort());
    // Not `waitForLoadState`: the blank page before it has loaded.
    const loaded = page.waitForEvent('load');
    const opened = page.goto('/search/all/consent').catch(() => undefined);
    await loaded;
    await page.getByRole('searchbox').first().fill('ledger');
    await page.getByRole('searchbox').first().press('Enter');
    await expect(page).toHaveURL(/\/search\/all\/ledger$/);
    await page.unroute('**/assets/entry-client-*.js');
    await opened;
  });
});

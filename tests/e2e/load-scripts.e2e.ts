import type { Page } from '@playwright/test';
import { findPost, isLong } from './find-post.ts';
import { expect, test } from './fixtures.ts';

/** Holds a page's scripts back, but for the one that loads them. Returns the function that lets them go. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    if (!route.request().url().includes('/load-scripts-')) await promise;
    await route.continue();
  });
  return resolve;
}

test.describe('before its scripts are there', () => {
  test('a page lets its pictures come first, and a button that is pressed acts once they are', async ({
    page,
  }) => {
    const release = await holdScripts(page);
    const first = page.waitForRequest('**/assets/*.js');
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
    expect((await first).url()).toContain('/load-scripts-');
  });

  test('a form is sent once, however often its button is pressed meanwhile', async ({ page }) => {
    const release = await holdScripts(page);
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/subscriptions')) sent++;
    });
    const loaded = page.waitForEvent('load');
    const opened = page.goto('/subscribe');
    await loaded;
    await page.getByLabel('Email').fill(`reader-${Date.now()}@example.com`);
    const submit = page.getByRole('button', { name: 'Submit' });
    await submit.click();
    await submit.click();
    release();
    await opened;
    await expect(page.getByText('Thank you for subscribing ✅')).toBeVisible();
    expect(sent).toBe(1);
  });

  test('Play leaves the page no sooner than after: it has the focus, and plays once they are', async ({
    page,
    site,
  }) => {
    const release = await holdScripts(page);
    // The player never answers: Chromium may lose a frame's focus when the frame moves to another process.
    await page.route('https://www.youtube-nocookie.com/**', () => {});
    const path = await findPost(site.demoCms, 'podcasts', (post) =>
      /youtu/.test(String(post['podcast_link'])),
    );
    const loaded = page.waitForEvent('load');
    const opened = page.goto(path);
    await loaded;
    const play = page.getByLabel(/^Play video/);
    await play.focus();
    await page.keyboard.press('Enter');
    await expect(play).toBeFocused();
    release();
    await opened;
    await expect(page.locator('iframe.video')).toBeFocused();
    expect(new URL(page.url()).pathname).toBe(path);
  });

  test('the header is measured only when the page scrolls, since that may lay the page out', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      let measured = 0;
      const measure = Element.prototype.getBoundingClientRect;
      Element.prototype.getBoundingClientRect = function () {
        if (this.matches('.header')) measured++;
        return measure.call(this);
      };
      Object.assign(window, { timesMeasured: () => measured });
    });
    await page.goto('/privacy-policy');
    const html = page.locator('html');
    await expect(html).toHaveAttribute('data-hydrated', '');
    expect(await page.evaluate('timesMeasured()')).toBe(0);
    await expect(html).not.toHaveAttribute('data-condensed');
    await page.evaluate(() => scrollTo(0, 600));
    await expect(html).toHaveAttribute('data-condensed', '');
    expect(await page.evaluate('timesMeasured()')).toBeGreaterThan(0);
  });

  test('the header is condensed where the page is opened at one of its sections', async ({ page }) => {
    await page.goto('/privacy-policy#changes');
    await expect(page.locator('html')).toHaveAttribute('data-condensed', '');
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

  test('a button acts as without them where the part that the address would need fails to load', async ({
    page,
    site,
    expectedNoise,
  }) => {
    expectedNoise.push(/404/, /ERR_FAILED/, /A part of this page could not be loaded/);
    await page.route('**/assets/article-page-*.js', (route) => route.abort());
    const failed = page.waitForRequest('**/assets/article-page-*.js');
    await page.evaluate((href) => window.location.assign(href), `${site.origin}/news/no-such-story`);
    await failed;
    const main = page.getByRole('main');
    await main.getByRole('searchbox').fill('consent');
    await main.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(/\/search\/all\/consent$/);
  });

  test('all events of a list and all lists of a sidebar are shown where they cannot be had', async ({
    page,
    site,
    expectedNoise,
  }) => {
    expectedNoise.push(/Failed to|ERR_FAILED|dynamically imported module/);
    await page.route('**/assets/entry-client-*.js', (route) => route.abort());
    const { events } = await (await fetch(`${site.origin}/api/events`)).json();
    const opened = page.goto('/events').catch(() => undefined);
    await expect(page.locator('.event-card:visible')).toHaveCount(events.length);
    await page.locator('.event-card a').first().click();
    await expect(page.getByRole('tabpanel').filter({ visible: true })).toHaveCount(2);
    await page.unroute('**/assets/entry-client-*.js');
    await page.reload();
    await opened;
  });

  for (const width of [390, 1280])
    test(`the contents of an article are shown where they cannot be had, at ${width} pixels, and cover nothing`, async ({
      page,
      site,
      expectedNoise,
    }) => {
      expectedNoise.push(/Failed to|ERR_FAILED|dynamically imported module/);
      await page.setViewportSize({ width, height: 844 });
      await page.route('**/assets/entry-client-*.js', (route) => route.abort());
      const opened = page.goto(await findPost(site.demoCms, 'news', isLong)).catch(() => undefined);
      const contents = page.getByRole('navigation', { name: 'Contents' });
      const last = contents.getByRole('link').last();
      await last.click();
      const heading = page.locator(`[id="${(await last.getAttribute('href'))?.slice(1)}"]`);
      await expect(heading).toBeInViewport();
      await expect(contents).not.toBeInViewport();
      await page.unroute('**/assets/entry-client-*.js');
      await page.reload();
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

  test('a form that is sent is sent as it is without them where they are not there in time', async ({
    page,
  }) => {
    await page.clock.install();
    const release = await holdScripts(page);
    const loaded = page.waitForEvent('load');
    const opened = page.goto('/search/all/consent').catch(() => undefined);
    await loaded;
    await page.getByRole('searchbox').first().fill('ledger');
    await page.getByRole('searchbox').first().press('Enter');
    await page.clock.fastForward(9_000);
    await expect(page).toHaveURL(/\/search\/all\/consent$/);
    await page.clock.fastForward(1_000);
    await expect(page).toHaveURL(/\/search\/all\/ledger$/);
    release();
    await opened;
  });
});

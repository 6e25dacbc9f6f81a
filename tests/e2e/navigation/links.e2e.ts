import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

/** Marks the document: a new one would not have the mark. */
const markDocument = (page: Page) => page.evaluate(() => document.body.setAttribute('data-seen', 'yes'));
const isSameDocument = (page: Page) => page.evaluate(() => document.body.getAttribute('data-seen') === 'yes');

async function addLink(page: Page, attributes: Record<string, string>): Promise<void> {
  await page.evaluate((given) => {
    const link = document.createElement('a');
    for (const [name, value] of Object.entries(given)) link.setAttribute(name, value);
    link.textContent = 'A link of an article’s body';
    document.querySelector('main')?.prepend(link);
  }, attributes);
}

const added = (page: Page) => page.getByRole('link', { name: 'A link of an article’s body' });

test.describe('a link', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/contact-us');
    await markDocument(page);
  });

  test('to a page of the site fades into it', async ({ page }) => {
    const fading = page.evaluate(async () => {
      const { startViewTransition } = document;
      const { promise, resolve } = Promise.withResolvers<number>();
      document.startViewTransition = (update) => {
        const transition = startViewTransition.call(document, update);
        void transition.ready.then(() =>
          resolve(
            document
              .getAnimations()
              .filter(({ effect }) => String(Object(effect).pseudoElement).startsWith('::view-transition'))
              .length,
          ),
        );
        return transition;
      };
      return promise;
    });
    await addLink(page, { href: '/topic/news' });
    await added(page).click();
    expect(await fading).toBeGreaterThan(0);
    expect(await isSameDocument(page)).toBe(true);
  });

  test('to the page itself adds no entry to the history', async ({ page }) => {
    await addLink(page, { href: '/contact-us' });
    const before = await page.evaluate(() => history.length);
    await added(page).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => history.length)).toBe(before);
    expect(await isSameDocument(page)).toBe(true);
  });

  test('to a place within the page focuses it, and adds an entry to the history once', async ({ page }) => {
    await addLink(page, { href: '#main' });
    const before = await page.evaluate(() => history.length);
    await added(page).click();
    await expect(page).toHaveURL(/\/contact-us#main$/);
    await expect(page.locator('#main')).toBeFocused();
    await added(page).click();
    await expect(page.locator('#main')).toBeFocused();
    expect(await page.evaluate(() => history.length)).toBe(before + 1);
    expect(await isSameDocument(page)).toBe(true);
  });
});

test.describe('after a deploy that changed the data of a list', () => {
  test.use({ expectedNoise: [/TypeError/] });

  test('an open page loads the document once, and then says that the list could not be loaded', async ({
    page,
  }) => {
    await page.route('**/api/topics/**', (route) => route.fulfill({ json: { entries: [] } }));
    const news = page
      .getByRole('contentinfo')
      .or(page.getByRole('main'))
      .locator('a[href="/topic/news"]')
      .first();
    await page.goto('/sitemap');
    await news.click();
    await expect(page.getByRole('heading', { level: 1, name: 'News' })).toBeVisible();
    await page.goto('/sitemap');
    await news.click();
    await expect(
      page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }),
    ).toBeVisible();
    await expect(page.getByText('No Posts Available')).toHaveCount(0);
  });
});

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

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
  });

  test('to a page of the site leads there within the document, wherever it is', async ({ page }) => {
    await addLink(page, { href: '/topic/news' });
    await added(page).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('News');
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

  for (const [what, attributes] of [
    ['a feed', { href: '/feed.xml' }],
    ['an address that no page has', { href: '/no-such-page' }],
    ['another spelling of a page’s address', { href: '/topic/news/' }],
    ['one with capitals', { href: '/Topic/news' }],
    ['this window, by name', { href: '/topic/news', target: '_self' }],
  ] as const) {
    test(`to ${what} asks for a document`, async ({ page, expectedNoise }) => {
      expectedNoise.push(/404/);
      await addLink(page, attributes);
      const [request] = await Promise.all([
        page.waitForRequest((sent) => new URL(sent.url()).pathname === attributes.href),
        added(page).click(),
      ]);
      expect(request.isNavigationRequest()).toBe(true);
    });
  }

  test('pressed with a key that opens a window leaves this one alone', async ({ page, context }) => {
    await addLink(page, { href: '/topic/news' });
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      added(page).click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await opened.close();
    expect(new URL(page.url()).pathname).toBe('/contact-us');
    expect(await isSameDocument(page)).toBe(true);
  });

  test('to a place within the page is the browser’s own', async ({ page }) => {
    await addLink(page, { href: '#main' });
    await added(page).click();
    await expect(page).toHaveURL(/\/contact-us#main$/);
    expect(await isSameDocument(page)).toBe(true);
  });
});

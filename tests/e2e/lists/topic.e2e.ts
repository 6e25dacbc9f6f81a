import type { Locator } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

test.describe('a topic page', () => {
  test('scrolls smoothly to the top when the page changes, and back to where the reader was', async ({
    page,
  }) => {
    await page.goto('/topic/news');
    const pagination = page.getByRole('navigation', { name: 'Pagination' });
    await pagination.scrollIntoViewIfNeeded();
    const left = await page.evaluate(() => window.scrollY);
    expect(left).toBeGreaterThan(400);
    // How many steps of it are seen depends on how busy the machine is.
    await page.evaluate(() => {
      const scrolls: unknown[] = [];
      const { scrollTo } = window;
      Object.assign(window, {
        scrolls,
        scrollTo(...where: Parameters<typeof scrollTo>) {
          scrolls.push(where[0]);
          scrollTo(...where);
        },
      });
    });
    await pagination.getByRole('link', { name: 'Next' }).click();
    await expect(page).toHaveURL('/topic/news?page=2');
    await expect(pagination.locator('[aria-current="page"]')).toHaveText('2');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    // The first ends what a smooth scroll of the page before may have left.
    expect(await page.evaluate(() => Reflect.get(window, 'scrolls'))).toEqual([
      { top: left, behavior: 'instant' },
      { top: 0, behavior: 'smooth' },
    ]);
    await page.goBack();
    await expect(pagination.locator('[aria-current="page"]')).toHaveText('1');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(400);
  });

  // Begun later it would go on after a Back that was pressed before.
  test('begins its smooth scroll as the next page comes', async ({ page }) => {
    await page.goto('/topic/news');
    await page.locator('html[data-hydrated]').waitFor();
    const scrolls = await page.evaluate(() => {
      const behaviors: unknown[] = [];
      window.scrollTo = (where: unknown) => void behaviors.push(Object(where).behavior);
      const { promise, resolve } = Promise.withResolvers<unknown[]>();
      new MutationObserver(() => {
        if (document.querySelector('.pagination [aria-current]')?.textContent === '2')
          resolve([...behaviors]);
      }).observe(document.body, { subtree: true, attributes: true, childList: true, characterData: true });
      document.querySelector<HTMLElement>('.pagination [rel=next]')?.click();
      return promise;
    });
    expect(scrolls).toEqual(['instant', 'smooth']);
  });

  test('jumps to the top under reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/topic/news');
    const pagination = page.getByRole('navigation', { name: 'Pagination' });
    await pagination.getByRole('link', { name: 'Page 2', exact: true }).click();
    await expect(pagination.locator('[aria-current="page"]')).toHaveText('2');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });

  test('that turns out empty redirects to /no-posts inside the client as well', async ({ page, site }) => {
    await page.goto('/topic/podcasts');
    const link = page.getByRole('navigation', { name: 'Sub-categories' }).getByRole('link').first();
    const body = { posts: { postData: [], pagination: { totalItems: 0, totalPages: 0 } } };
    await site.faults([{ path: `/api/post${await link.getAttribute('href')}`, kind: 'wrong-json', body }]);
    await link.click();
    await expect(page).toHaveURL('/no-posts');
    await expect(page.locator('h1')).toHaveText('No Posts Available');
    await site.faults([]);
  });

  test('fits a phone, three large pictures below each other, the steps below the numbers', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/topic/news');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const boxes = await boxesOf(page.locator('.topic-card'));
    expect(new Set(boxes.map(({ x }) => x)).size).toBe(1);
  });

  test('has three columns on a desktop', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/topic/news');
    const boxes = await boxesOf(page.locator('.topic-card'));
    expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
    expect(new Set(boxes.map(({ x }) => x)).size).toBe(3);
    const ends = await page
      .locator('.topic-card .post-meta')
      .evaluateAll((metas) => metas.map((meta) => Math.round(meta.getBoundingClientRect().bottom)));
    expect(new Set(ends).size, 'their texts end on one line').toBe(1);
  });
});

test.describe('a topic page without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('opens the rest of its filters behind More, and its pages are links', async ({ page }) => {
    await page.goto('/topic/news');
    const strip = page.getByRole('navigation', { name: 'Sub-categories' });
    const more = strip.getByRole('button', { name: 'More' });
    const arrow = () => more.evaluate((button) => getComputedStyle(button, '::after').rotate);
    expect(await arrow()).toBe('45deg');
    await more.click();
    await expect(strip.getByRole('link')).toHaveCount(10);
    expect(await arrow()).toBe('225deg');
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Pagination' }).getByRole('link', { name: 'Next' }).click();
    await expect(page).toHaveURL('/topic/news?page=2');
  });
});

/** Returns the boxes of elements, measured in one frame. */
function boxesOf(elements: Locator): Promise<{ x: number; y: number }[]> {
  return elements.evaluateAll((all) => all.map((element) => element.getBoundingClientRect().toJSON()));
}

import { oneInThree } from '../../matrix.ts';
import { expect, test } from '../fixtures.ts';

const ARTICLE = '/news/apology-loop-two-million-emails';

test.describe('for a reader who asked for less motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing moves on a page, and no line of progress stands above an article', async ({ page }) => {
    for (const path of oneInThree(['/', '/topic/news', '/tag/customer-data', ARTICLE])) {
      await page.goto(path);
      if (path === ARTICLE) await expect(page.locator('.reading-progress')).toHaveCSS('scale', '0 1');
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter((element) => {
            element.classList.add('loaded');
            const { animationName, transitionDuration } = getComputedStyle(element);
            return animationName !== 'none' || Number.parseFloat(transitionDuration) > 0;
          })
          .map(({ className }) => className),
      );
      expect.soft(moving, path).toEqual([]);
    }
  });

  test('a slow navigation is told by a line that does not grow', async ({ page }) => {
    await page.goto('/');
    await page.route('**/api/events*', () => undefined);
    await page.evaluate(() => {
      const link = document.querySelector<HTMLElement>('a[href="/events"]');
      link?.click();
    });
    await expect(page.locator('.navigation-progress')).toHaveCSS('scale', '0.95 1');
  });

  test('a step of the carousel is made at once', async ({ page }) => {
    await page.goto('/');
    const moved = await page.getByRole('button', { name: 'Next slide' }).evaluate((button: HTMLElement) => {
      button.click();
      return button.closest('.carousel')?.querySelector('.carousel-track')?.scrollLeft;
    });
    expect(moved).toBeGreaterThan(0);
  });
});

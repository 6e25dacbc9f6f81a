import { expect, test } from '../fixtures.ts';

test.describe('for a reader who asked for less motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  for (const path of ['/', '/topic/news', '/tag/customer-data', '/news/apology-loop-two-million-emails']) {
    test(`nothing moves on ${path}`, async ({ page }) => {
      await page.goto(path);
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter((element) => {
            element.classList.add('loaded');
            const { animationName, transitionDuration } = getComputedStyle(element);
            return animationName !== 'none' || Number.parseFloat(transitionDuration) > 0;
          })
          .map(({ className }) => className),
      );
      expect(moving).toEqual([]);
    });
  }

  test('no line of progress stands above an article', async ({ page }) => {
    await page.goto('/news/apology-loop-two-million-emails');
    await expect(page.locator('.reading-progress')).toHaveCSS('scale', '0 1');
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

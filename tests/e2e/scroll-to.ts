import type { Page } from '@playwright/test';

/** Scrolls to a place at once, and waits until the page has heard of it. */
export async function scrollTo(page: Page, top: number): Promise<void> {
  await page.evaluate(
    (y) =>
      new Promise((heard) => {
        window.addEventListener('scroll', heard, { once: true });
        document.documentElement.scrollTop = y;
      }),
    top,
  );
}

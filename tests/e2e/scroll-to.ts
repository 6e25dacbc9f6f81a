import type { Page } from '@playwright/test';

/** Scrolls without animation and waits for the `scroll` event. */
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

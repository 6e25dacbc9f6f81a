import type { Page } from '@playwright/test';

/** Waits until fonts and the pictures in view are there. */
export async function isPainted(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForFunction(() => {
    // Pictures in a closed menu are not loaded until it opens.
    const inView = [...document.images].filter((image) => {
      const { top, bottom, width } = image.getBoundingClientRect();
      return image.checkVisibility() && width > 0 && bottom > 0 && top < window.innerHeight;
    });
    return inView.every((image) => image.complete);
  });
}

import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

/** Returns what is wrong with the focused element: no outline, or (WCAG 2.4.11) its middle is covered. */
function focusFault(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return null;
    const { x, y, width, height } = focused.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    const fault = [];
    if (!top || !(focused.contains(top) || top.contains(focused))) fault.push('obscured');
    if (getComputedStyle(focused).outlineStyle === 'none') fault.push('no outline');
    return fault.length === 0 ? null : `${fault.join(', ')}: ${focused.outerHTML.slice(0, 100)}`;
  });
}

test('the focus is seen all the way down a list and back up, also in forced colours', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.goto('/topic/news');
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press(key);
      expect.soft(await focusFault(page), `${key} ${step}`).toBeNull();
    }
  }
});

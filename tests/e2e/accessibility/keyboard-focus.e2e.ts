import type { Page } from '@playwright/test';
import { oneInThree } from '../../matrix.ts';
import { expect, test } from '../fixtures.ts';

/** Returns what is wrong with the focused element: no outline, or (WCAG 2.4.11) its middle is covered. */
function focusFault(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    // The header follows a scroll one frame later.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
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

test('the focus is seen all the way up a page with a bar below the header’s, on a phone', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/tag/customer-data');
  await page.locator('main a').last().focus();
  const links = await page.locator('main a').count();
  for (let step = links; step > 1; step--) {
    await page.keyboard.press('Shift+Tab');
    expect.soft(await focusFault(page), `${step}`).toBeNull();
  }
});

test('the focus is seen in the related posts of an article, also where they are higher than the window', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 640 });
  await page.goto('/learning-center/choosing-a-customer-data-platform-once');
  const links = page.locator('.article-side a');
  await links.first().focus();
  for (let step = await links.count(); step > 1; step--) {
    await page.keyboard.press('Tab');
    expect.soft(await focusFault(page)).toBeNull();
  }
  await expect(links.last()).toBeFocused();
});

/** Returns the links and buttons whose outline is cut off at two sides or more by the overflow of what they are in. */
function cutOutlines(): string[] {
  const sidesCut = (control: HTMLElement) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(control);
    const beyond = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const cut = new Set<string>();
    for (let area = control.parentElement; area && area !== document.body; area = area.parentElement) {
      if (getComputedStyle(area).overflowX === 'visible') continue;
      const box = area.getBoundingClientRect();
      if (left - beyond < box.left + area.clientLeft) cut.add('left');
      if (right + beyond > box.left + area.clientLeft + area.clientWidth) cut.add('right');
      if (top - beyond < box.top + area.clientTop) cut.add('top');
      if (bottom + beyond > box.top + area.clientTop + area.clientHeight) cut.add('bottom');
    }
    return [...cut];
  };
  const cuts: string[] = [];
  for (const control of document.querySelectorAll<HTMLElement>('main :is(a[href], button)')) {
    if (!control.checkVisibility({ visibilityProperty: true })) continue;
    control.focus({ focusVisible: true });
    const sides = sidesCut(control);
    if (sides.length > 1) cuts.push(`${sides.join(', ')} of ${control.outerHTML.slice(0, 80)}`);
  }
  return cuts;
}

test('no list cuts off the outline of a focused link, wide and narrow', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const path of oneInThree(['/tag/customer-data', '/topic/news', '/events', '/', '/privacy-policy'])) {
    await page.goto(path);
    const category = page.getByRole('button', { name: 'Category' });
    if (await category.isVisible()) await category.click();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.keyboard.press('Tab');
      expect.soft(await page.evaluate(cutOutlines), `${path}, ${width} pixels wide`).toEqual([]);
    }
  }
});

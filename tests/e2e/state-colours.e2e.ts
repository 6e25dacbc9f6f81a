import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Degrees between two hues that nobody takes for one. */
const APART = 30;

function hueOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  const sector =
    most === red
      ? (green - blue) / range
      : most === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
  return (sector * 60 + 360) % 360;
}

function degreesBetween(one: string, other: string): number {
  const distance = Math.abs(hueOf(one) - hueOf(other));
  return Math.min(distance, 360 - distance);
}

const styleOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

test('an error, the focus and a submit button have three hues, light and dark', async ({ page }) => {
  await page.goto('/contact-us');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('textbox', { name: 'First name' })).toBeFocused();
  for (const colorScheme of ['light', 'dark'] as const) {
    // A colour that is changing from one scheme to the other has a hue of its own.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const error = await styleOf(page, '.field-error', 'color');
    const focus = await styleOf(page, ':focus', 'outline-color');
    const button = await styleOf(page, '.button', 'background-color');
    expect(degreesBetween(error, focus), colorScheme).toBeGreaterThanOrEqual(APART);
    expect(degreesBetween(focus, button), colorScheme).toBeGreaterThanOrEqual(APART);
    expect(degreesBetween(button, error), colorScheme).toBeGreaterThanOrEqual(APART);
  }
});

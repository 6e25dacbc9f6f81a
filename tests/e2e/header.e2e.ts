import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { scrollTo } from './scroll-to.ts';

const CONDENSED = 56;
/** A page of each header: the masthead of the home page, the slim bar of the others. */
const PAGES = [
  { path: '/', height: 180 },
  { path: '/topic/news', height: 64 },
] as const;

/** Returns where the visible header ends, in CSS pixels from the top of the window. */
const headerEnd = (page: Page) =>
  page.getByRole('banner').evaluate((header) => header.getBoundingClientRect().bottom);

/** Returns the header's visible links, buttons and fields that leave the window or cover one another. */
function controlFaults(): string[] {
  const controls = [...document.querySelectorAll<HTMLElement>('header a, header button, header input')]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .map((control) => ({
      name: control.getAttribute('aria-label') ?? control.innerText,
      rect: control.getBoundingClientRect(),
    }))
    .filter(({ rect }) => rect.bottom > 0);
  return controls.flatMap(({ name, rect }, index) => {
    const outside = rect.left < 0 || rect.right > window.innerWidth ? [`${name} leaves the window`] : [];
    const covered = controls
      .slice(index + 1)
      .filter(
        ({ rect: other }) =>
          rect.left < other.right - 1 &&
          other.left < rect.right - 1 &&
          rect.top < other.bottom - 1 &&
          other.top < rect.bottom - 1,
      );
    return [...outside, ...covered.map((other) => `${name} covers ${other.name}`)];
  });
}

/** Collects the shifts of the header's parts in `window.shifts`, once its fonts have loaded. */
async function observeHeaderShifts(): Promise<void> {
  await document.fonts.ready;
  const shifts: string[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      for (const { node } of Reflect.get(entry, 'sources'))
        if (node?.parentElement?.closest('header')) shifts.push(node.nodeName);
    }
  }).observe({ type: 'layout-shift' });
}

test.describe('the header', () => {
  for (const { path, height } of PAGES) {
    test(`of ${path} is ${height} px high and condenses to a bar of 56 px with wordmark, menus, search and Subscribe`, async ({
      page,
    }) => {
      await page.goto(path);
      const banner = page.getByRole('banner');
      expect(await headerEnd(page)).toBe(height);
      await expect(banner.getByRole('link', { name: 'Martech Meridian', exact: true })).toBeVisible({
        visible: path !== '/',
      });
      await scrollTo(page, 900);
      expect(await headerEnd(page)).toBe(CONDENSED);
      for (const control of [
        banner.getByRole('link', { name: 'Martech Meridian', exact: true }),
        banner.getByRole('button', { name: 'Latest' }),
        banner.getByRole('link', { name: 'Contact Us' }),
        banner.getByRole('searchbox'),
        banner.getByRole('link', { name: 'Subscribe' }),
      ]) {
        await expect(control).toBeInViewport({ ratio: 1 });
        const box = await control.boundingBox();
        expect(Number(box?.y) + Number(box?.height)).toBeLessThan(CONDENSED);
      }
    });

    test(`of ${path} condenses without a layout shift`, async ({ page }) => {
      await page.goto(path);
      await page.evaluate(observeHeaderShifts);
      const textStart = () =>
        page.locator('main').evaluate((main) => main.getBoundingClientRect().top + window.scrollY);
      const start = await textStart();
      for (const top of [4, 9, 60, 123, 126, 600, 126, 60, 0]) {
        await scrollTo(page, top);
        await page.evaluate(
          () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
        );
        expect(await textStart()).toBe(start);
      }
      expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([]);
    });

    test(`of ${path} keeps its controls apart and in the window at every width`, async ({ page }) => {
      await page.goto(path);
      for (let width = 320; width <= 1280; width += 16) {
        await page.setViewportSize({ width, height: 800 });
        for (const top of [900, 0]) {
          await scrollTo(page, top);
          expect.soft(await page.evaluate(controlFaults), `${width} px wide, at ${top}`).toEqual([]);
        }
      }
    });

    test(`of ${path} is one bar on a phone, with Subscribe`, async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(path);
      const banner = page.getByRole('banner');
      for (const top of [900, 0]) {
        await scrollTo(page, top);
        expect(await headerEnd(page)).toBe(CONDENSED);
        for (const control of [
          banner.getByRole('link', { name: 'Martech Meridian', exact: true }),
          banner.getByRole('button', { name: 'Search' }),
          banner.getByRole('link', { name: 'Subscribe' }),
          banner.getByRole('button', { name: 'Menu' }),
        ])
          await expect(control).toBeInViewport({ ratio: 1 });
      }
    });
  }

  for (const width of [390, 800]) {
    test(`opens its search box over the bar, not over the page, ${width} px wide`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.goto('/about');
      const button = page.getByRole('banner').getByRole('button', { name: 'Search' });
      await expect(page.getByRole('searchbox')).toBeHidden();
      await button.click();
      await expect(page.getByRole('searchbox')).toBeFocused();
      await expect(button).toHaveAttribute('aria-expanded', 'true');
      const form = await page.locator('.header-search-form').boundingBox();
      expect(Number(form?.y) + Number(form?.height)).toBeLessThanOrEqual(CONDENSED);
      await page.getByRole('banner').getByRole('button', { name: 'Close' }).click();
      await expect(page.getByRole('searchbox')).toBeHidden();
      await expect(button).toBeFocused();
      await expect(button).toHaveAttribute('aria-expanded', 'false');
      await button.click();
      await page.getByRole('searchbox').fill('consent');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/search/all/consent');
      await expect(page.getByRole('searchbox')).toBeHidden();
    });
  }
});

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { tagData } from '../../../tests/component/page-data.ts';
import { renderPage } from '../../../tests/component/render-page.tsx';
import { NAVIGATION, stubApi } from '../../../tests/component/stub-api.ts';

const button = page.getByRole('button', { name: 'Category' });
const links = page.getByRole('navigation', { name: 'Sections of this page' }).getByRole('link');

function menu(): HTMLElement {
  const found = document.getElementById('category-links');
  if (!found) throw new Error('There is no Category menu');
  return found;
}

const height = () => menu().offsetHeight;

async function open(): Promise<void> {
  await button.click();
  await expect.poll(() => getComputedStyle(menu()).height).toBe('120px');
  // With its borders, if it had any.
  expect(height()).toBe(120);
}

describe('the Category menu', () => {
  beforeEach(() => {
    stubApi({
      ...NAVIGATION,
      'GET /api/tags/customer-data': () => Response.json(tagData({ futureReady: [] })),
    });
  });

  test('opens, a vertical tab at the right edge, to a height of 120 and closes on a click outside', async () => {
    await renderPage('/tag/customer-data');
    expect(getComputedStyle(button.element()).writingMode).toMatch(/^vertical-/);
    expect(Math.round(menu().parentElement?.getBoundingClientRect().right ?? 0)).toBe(
      document.documentElement.clientWidth,
    );
    expect(height()).toBe(0);
    await open();
    await expect.element(button).toHaveAttribute('aria-expanded', 'true');
    expect(links.elements().map(({ textContent }) => textContent)).toEqual([
      'News',
      'Articles',
      'Quick Bytes',
      'Podcast',
      'Hot Seats',
      'Future Ready',
      'Guest Author',
      'Learning Center',
    ]);
    await page.getByRole('heading', { level: 1 }).click();
    await expect.element(button).toHaveAttribute('aria-expanded', 'false');
    await expect.poll(height).toBe(0);
    await expect.element(page.getByRole('link', { name: 'Learning Center' })).not.toBeInTheDocument();
  });

  test('is a strip on a phone, which stays below the header', async () => {
    await page.viewport(390, 844);
    await renderPage('/tag/customer-data');
    for (const top of [600, 1_200]) {
      window.scrollTo({ top, behavior: 'instant' });
      const strip = button.element().getBoundingClientRect();
      const header = document.querySelector('.header')?.getBoundingClientRect();
      expect(strip.top - (header?.bottom ?? 0)).toBeLessThanOrEqual(2);
      expect([strip.left, strip.right]).toEqual([0, document.documentElement.clientWidth]);
      expect(strip.height).toBeGreaterThanOrEqual(44);
    }
  });

  test('opens on a phone below its button, wherever the page is scrolled to', async () => {
    await page.viewport(390, 844);
    await renderPage('/tag/customer-data');
    for (const top of [0, 600]) {
      window.scrollTo({ top, behavior: 'instant' });
      await open();
      const { bottom } = button.element().getBoundingClientRect();
      expect(Math.abs(menu().getBoundingClientRect().top - bottom)).toBeLessThanOrEqual(2);
      await button.click();
      await expect.poll(height).toBe(0);
    }
  });

  test('is a tab of 120 pixels at the right edge elsewhere', async () => {
    await page.viewport(1280, 900);
    await renderPage('/tag/customer-data');
    const { right, height } = button.element().getBoundingClientRect();
    expect([right, height]).toEqual([document.documentElement.clientWidth, 120]);
  });

  test('has all of its links in sight on a phone that lies on its side', async () => {
    await page.viewport(568, 320);
    await renderPage('/tag/customer-data');
    await open();
    for (const name of ['News', 'Articles', 'Learning Center']) {
      const link = page.getByRole('link', { name });
      await expect.element(link).toBeInViewport({ ratio: 1 });
      const { x, y, width: across, height: down } = link.element().getBoundingClientRect();
      expect(document.elementFromPoint(x + across / 2, y + down / 2), name).toBe(link.element());
    }
  });

  test('keeps its links where they are while it opens, also for the focus', async () => {
    await renderPage('/tag/customer-data');
    await button.click();
    menu().querySelector<HTMLElement>('a[href="#podcast"]')?.focus();
    menu().scrollTop = 50;
    expect(menu().scrollTop).toBe(0);
  });

  test('moves the focus to the section, so that Tab goes on from there', async () => {
    await renderPage('/tag/customer-data');
    await open();
    await page.getByRole('link', { name: 'Podcast', exact: true }).click();
    await expect.element(page.getByRole('heading', { level: 2, name: 'Podcast' })).toHaveFocus();
    await userEvent.tab();
    await expect.element(page.getByRole('link', { name: 'See More of Podcast' })).toHaveFocus();
  });

  test('says so when a section of its menu is not on the page', async () => {
    const alert = vi.spyOn(window, 'alert').mockReturnValue();
    await renderPage('/tag/customer-data');
    await open();
    await page.getByRole('link', { name: 'Future Ready' }).click();
    expect(alert).toHaveBeenCalledExactlyOnceWith('Nohing is there!!!...');
  });
});

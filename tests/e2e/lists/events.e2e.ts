import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

interface Listed {
  slug: string;
  title: string;
}

const cards = (page: Page) => page.locator('.event-card:visible');
const showMore = (page: Page) => page.getByRole('button', { name: 'Show More' });

async function loaded(origin: string, query = ''): Promise<{ events: Listed[]; totalPages: number }> {
  const response = await fetch(`${origin}/api/events${query}`);
  const { events, pagination }: { events: Listed[]; pagination: { totalPages: number } } =
    await response.json();
  return { events, totalPages: pagination.totalPages };
}

test.describe('the event list', () => {
  test('changes tabs by link, keeps the tab in the address, starts each from its first nine, and shows as many as before after Back', async ({
    page,
    site,
  }) => {
    await page.goto('/events');
    await showMore(page).click();
    const shown = await cards(page).count();
    await page.getByRole('link', { name: 'Past Events' }).click();
    await expect(page).toHaveURL(/\/events\?tab=past$/);
    await expect(page.getByRole('link', { name: 'Past Events' })).toHaveAttribute('aria-current', 'page');
    const past = await loaded(site.origin, '?tab=past');
    await expect(cards(page)).toHaveCount(Math.min(9, past.events.length));
    await expect(cards(page).first().locator('h3')).toHaveText(past.events[0]?.title ?? '');
    await page.goBack();
    await expect(page.getByRole('link', { name: 'All Events' })).toHaveAttribute('aria-current', 'page');
    await expect(cards(page)).toHaveCount(shown);
  });

  test('has three columns, keeps 700px for a tab, and scrolls nowhere sideways on a phone', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/events');
    const tops = await cards(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().top));
    expect(new Set(tops.slice(0, 3)).size).toBe(1);
    expect(tops[3]).toBeGreaterThan(tops[0] ?? 0);
    expect(await page.locator('.events-area').evaluate((area) => getComputedStyle(area).minHeight)).toBe(
      '700px',
    );
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});

test.describe('an event list without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('has two events side by side over the whole width, and a single one no wider than two thirds of it', async ({
    page,
  }) => {
    await page.goto('/events');
    const widths = (shown: number) =>
      page.locator('.events-grid').evaluate((grid, count) => {
        while (grid.children.length > count) grid.lastElementChild?.remove();
        const of = (element: Element) => element.getBoundingClientRect().width / grid.clientWidth;
        return [...grid.children].map(of);
      }, shown);
    expect((await widths(2)).map((share) => Math.round(share * 10))).toEqual([5, 5]);
    expect((await widths(1)).map((share) => Math.round(share * 10))).toEqual([7]);
  });
});

test.describe('events without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('shows all events of a server page; tabs and Show More link to further ones', async ({
    page,
    site,
  }) => {
    const first = await loaded(site.origin);
    const second = await loaded(site.origin, '?page=2');
    await page.goto('/events');
    await expect(cards(page)).toHaveCount(first.events.length);
    await showMore(page).click();
    await expect(page).toHaveURL(/\/events\?page=2$/);
    await expect(cards(page).first().locator('h3')).toHaveText(second.events[0]?.title ?? '');
    await page.getByRole('link', { name: 'Upcoming Events' }).click();
    await expect(page).toHaveURL(/tab=upcoming$/);
    await page.locator('.event-card h3 a').first().click();
    await expect(page.locator('.rich-text')).not.toBeEmpty();
  });
});
